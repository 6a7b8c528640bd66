//! Rows of a whole table, made while they are read.

use std::ops::ControlFlow;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use polars_arrow::ffi::export_iterator;
use polars_error::PolarsError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use tesuji::base::progress::NoProgress;
use tesuji::export::Batch;
use tesuji::session::{RowOptions, Session, SessionError};

use crate::arrow::{array, field};
use crate::errors::raised;
use crate::frame::{Frame, described};
use crate::progress::work;

/// Batches that wait to be read, besides the one under way.
const WAITING: usize = 4;

/// Rows of a table. Each stream of them begins anew.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Rows {
    session: Arc<dyn Session>,
    options: RowOptions,
    /// The columns, without rows.
    columns: Batch,
}

/// What a thread makes, batch by batch.
type Source = std::sync::mpsc::IntoIter<Result<Batch, SessionError>>;

/// One reader of the rows.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Batches(Mutex<Source>);

#[pymethods]
impl Batches {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Frame>> {
        let next = py.detach(|| {
            let mut source = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            source.next()
        });
        let batch = next.transpose().map_err(|error| raised(py, &error))?;
        Ok(batch.map(Frame::new))
    }
}

impl Rows {
    /// Checks what is asked for, and has the table made if there is none.
    pub fn new(
        py: Python<'_>,
        session: Arc<dyn Session>,
        options: RowOptions,
        progress: Option<&Py<PyAny>>,
    ) -> PyResult<Self> {
        let columns = work(py, progress, |progress| {
            let mut columns = None;
            session
                .exporting()?
                .batches(&options, progress, &mut |batch| {
                    columns = Some(batch);
                    ControlFlow::Break(())
                })?;
            Ok(columns.unwrap_or_default())
        })?;
        Ok(Self {
            session,
            options,
            columns,
        })
    }

    /// Begins to make the rows. The thread ends when nobody reads on.
    fn begin(&self) -> Source {
        let (sender, receiver) = sync_channel(WAITING);
        let (session, options) = (Arc::clone(&self.session), self.options.clone());
        thread::spawn(move || {
            let mut visit = |batch: Batch| {
                if batch.rows() > 0 && sender.send(Ok(batch)).is_err() {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            };
            let ended = session
                .exporting()
                .and_then(|exporting| exporting.batches(&options, &NoProgress, &mut visit));
            if let Err(error) = ended {
                let _ = sender.send(Err(error));
            }
        });
        receiver.into_iter()
    }
}

#[pymethods]
impl Rows {
    /// Name, SQL type and whether values may be missing, of each column.
    fn schema(&self) -> Vec<(String, &'static str, bool)> {
        self.columns.columns().iter().map(described).collect()
    }

    fn __iter__(&self) -> Batches {
        Batches(Mutex::new(self.begin()))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The types are as they are; a consumer casts what it wants otherwise.
        drop(requested_schema);
        let arrays = self.begin().map(|batch| match batch {
            Ok(batch) => array(&batch),
            Err(error) => Err(PolarsError::ComputeError(error.to_string().into())),
        });
        PyCapsule::new_with_value(
            py,
            export_iterator(Box::new(arrays), field(&self.columns)),
            c"arrow_array_stream",
        )
    }
}
