//! Who is answered: requests that know the token, come to the right host, and were not made
//! by a page of another origin.

use super::http::{Refusal, Request};

const TOKEN_BYTES: usize = 16;

/// The names of this machine that an address may have.
const NAMES: [&str; 2] = ["127.0.0.1", "localhost"];

/// Checks requests before anything else is done with them.
#[derive(Debug)]
pub(super) struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    pub(super) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0_u8; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        let token = bytes.map(|byte| format!("{byte:02x}")).concat();
        Ok(Self { token, port })
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}:{}/{}/", NAMES[0], self.port, self.token)
    }

    /// The part of a request's path that follows the token.
    pub(super) fn admit<'a>(&self, request: &'a Request) -> Result<&'a str, Refusal> {
        // A page of another name that leads to this machine (DNS rebinding) names itself.
        let host = request.host.as_deref().and_then(|it| it.rsplit_once(':'));
        let here = |(name, port)| NAMES.contains(&name) && port == self.port.to_string();
        if !host.is_some_and(here) {
            return Err(Refusal::new(421, "this server answers to 127.0.0.1 alone"));
        }
        let own = |origin: &str| {
            let host = origin.strip_prefix("http://");
            host.is_some_and(|host| Some(host) == request.host.as_deref())
        };
        if !request.origin.as_deref().is_none_or(own) {
            return Err(Refusal::new(403, "requests of other pages are refused"));
        }
        let site = request.fetch_site.as_deref();
        let foreign = matches!(site, Some("cross-site" | "same-site"));
        if foreign && !request.navigates {
            return Err(Refusal::new(403, "requests of other pages are refused"));
        }
        let rest = request.path.strip_prefix('/').unwrap_or_default();
        let (token, rest) = rest.split_once('/').unwrap_or((rest, ""));
        if !same(token.as_bytes(), self.token.as_bytes()) {
            return Err(Refusal::new(404, "not found"));
        }
        Ok(rest)
    }
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str) -> Request {
        Request {
            path: path.to_owned(),
            host: Some("127.0.0.1:80".to_owned()),
            ..Request::default()
        }
    }

    #[test]
    fn only_the_token_opens() -> Result<(), getrandom::Error> {
        let guard = Guard::new(80)?;
        let path = format!("/{}/api/board", guard.token);
        assert_eq!(guard.admit(&request(&path)).ok(), Some("api/board"));
        for wrong in [
            "/",
            "/api/board",
            &path[1..],
            &path[..20],
            &path.to_uppercase(),
        ] {
            assert_eq!(
                guard.admit(&request(wrong)).err().map(|it| it.status),
                Some(404),
                "{wrong}"
            );
        }
        assert_ne!(guard.url(), Guard::new(80)?.url());
        Ok(())
    }
}
