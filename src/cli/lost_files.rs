//! A table that shrinks while it is mapped into memory: a message instead of a crash.

/// Lets the process end with a message and exit code 2 where it reads a mapped file beyond its
/// new end.
#[cfg(unix)]
pub fn explain() {
    extern "C" fn lost(_signal: libc::c_int) {
        const MESSAGE: &[u8] = b"tesuji: a table was truncated, or could no longer be read, while it was in use; nothing was overwritten: restore the table and run the command again\n";
        // SAFETY: both functions may be called in a signal handler, and the bytes are static.
        unsafe {
            libc::write(2, MESSAGE.as_ptr().cast(), MESSAGE.len());
            libc::_exit(2);
        }
    }
    let handler: extern "C" fn(libc::c_int) = lost;
    // SAFETY: an action of zeros is one without flags; the handler has the type that is
    // expected without SA_SIGINFO.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as libc::sighandler_t;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
    }
}

/// Elsewhere a mapped file cannot shrink.
#[cfg(not(unix))]
pub fn explain() {}
