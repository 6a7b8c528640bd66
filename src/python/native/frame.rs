//! Rows in memory, rows of a whole table that are made while they are read, and both as Arrow
//! arrays.

use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use polars_arrow::array::{Array, BooleanArray, PrimitiveArray, StructArray, Utf8Array};
use polars_arrow::datatypes::{ArrowDataType, Field};
use polars_arrow::ffi::{export_field_to_c, export_iterator};
use polars_error::{PolarsError, PolarsResult};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use tesuji::base::threads::begin;
use tesuji::export::{Batch, ColumnData, DataColumn};
use tesuji::session::{RowOptions, Session, SessionError};

use crate::errors::of_argument;
use crate::progress::{TICK, Told, answered, caught, threaded, work};

/// Rows of one array of the stream at most, so that texts have offsets of four bytes.
const ROWS: usize = 1 << 22;

/// Rows with named columns.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Frame(pub(crate) Batch);

#[pymethods]
impl Frame {
    fn __len__(&self) -> usize {
        self.0.rows()
    }

    /// Name, SQL type and whether values may be missing, of each column.
    fn schema(&self) -> Vec<(String, &'static str, bool)> {
        self.0.columns().iter().map(described).collect()
    }

    /// The values of a column.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let mut columns = self.0.columns().iter();
        let found = columns.find(|column| column.name == name);
        let column = found.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        values(py, &column.values)
    }

    /// Some of the rows: `count` of them at most, from `start` on.
    fn slice(&self, start: usize, count: usize) -> Self {
        let mut rest = self.0.clone();
        rest.take(start.min(rest.rows()));
        Self(rest.take(count.min(rest.rows())))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.0)
    }

    fn __arrow_c_stream__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let arrays: Vec<_> = if self.0.rows() <= ROWS {
            vec![array(&self.0)]
        } else {
            let mut rest = self.0.clone();
            let next = || {
                let some = rest.take(ROWS);
                (some.rows() > 0).then(|| array(&some))
            };
            std::iter::from_fn(next).collect()
        };
        let stream = export_iterator(Box::new(arrays.into_iter()), field(&self.0));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// A frame of columns, each with its name, SQL type, and whether values may be missing.
#[pyfunction]
pub(crate) fn frame_of(
    py: Python<'_>,
    columns: Vec<(String, String, bool, Bound<'_, PyList>)>,
) -> PyResult<Frame> {
    let columns = columns.into_iter().map(|(name, of, nullable, values)| {
        let values = match of.as_str() {
            "BIGINT" => ColumnData::Indices(values.extract()?),
            "INTEGER" => ColumnData::Numbers(values.extract()?),
            "BOOLEAN" => ColumnData::Flags(values.extract()?),
            _ => ColumnData::Texts(values.extract()?),
        };
        Ok(DataColumn {
            name,
            nullable,
            values,
        })
    });
    let frame = Batch::new(columns.collect::<PyResult<_>>()?).map(Frame);
    frame.map_err(|error| of_argument(py, "columns", &error))
}

/// Name, SQL type and whether values may be missing.
pub(crate) fn described(column: &DataColumn) -> (String, &'static str, bool) {
    (column.name.clone(), types(column).0, column.nullable)
}

/// The type of a column in SQL, and in Arrow.
const fn types(column: &DataColumn) -> (&'static str, ArrowDataType) {
    match &column.values {
        ColumnData::Indices(_) => ("BIGINT", ArrowDataType::Int64),
        ColumnData::Numbers(_) => ("INTEGER", ArrowDataType::Int32),
        ColumnData::Flags(_) => ("BOOLEAN", ArrowDataType::Boolean),
        ColumnData::Words { .. } | ColumnData::Texts(_) => ("VARCHAR", ArrowDataType::Utf8),
    }
}

fn values<'py>(py: Python<'py>, data: &ColumnData) -> PyResult<Bound<'py, PyList>> {
    match data {
        ColumnData::Indices(values) => PyList::new(py, values),
        ColumnData::Numbers(values) => PyList::new(py, values),
        ColumnData::Flags(values) => PyList::new(py, values),
        ColumnData::Texts(values) => PyList::new(py, values),
        ColumnData::Words { words, places } => {
            // Each word is one object, however often it stands in the column.
            let words = words.iter().map(|word| word.as_str().into_py_any(py));
            let words = words.collect::<PyResult<Vec<_>>>()?;
            let word = |place: &Option<i32>| words.get(usize::try_from((*place)?).ok()?);
            PyList::new(py, places.iter().map(word))
        }
    }
}

/// Batches that wait to be read, besides the one under way.
const WAITING: usize = 4;

/// Rows of a table. Each stream of them begins at the first row.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Rows {
    session: Arc<dyn Session>,
    options: RowOptions,
    /// The columns, without rows.
    columns: Batch,
}

/// A batch, or an error of the library, or what rules raised.
type Made = PyResult<Result<Batch, SessionError>>;

/// One reader of the rows, which a thread makes, batch by batch, until this is dropped.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Batches {
    batches: Mutex<Receiver<Made>>,
    /// Stopped if nobody reads on. Then the batch under way is given up too.
    stop: Arc<Told>,
}

impl Batches {
    /// Waits for the next batch. The error is that of a signal, such as Ctrl-C.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Made>> {
        loop {
            let next = py.detach(|| {
                let batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
                batches.recv_timeout(TICK)
            });
            match next {
                Ok(next) => return Ok(Some(next)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }
}

impl Drop for Batches {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

#[pymethods]
impl Batches {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Frame>> {
        let made = self.next(py)?.map(|made| answered(py, made));
        Ok(made.transpose()?.map(Frame))
    }
}

impl Rows {
    /// Checks what is asked for, and has the table made if there is none.
    pub fn new(py: Python<'_>, session: Arc<dyn Session>, options: RowOptions) -> PyResult<Self> {
        let columns = work(py, |progress| {
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
}

#[pymethods]
impl Rows {
    /// Name, SQL type and whether values may be missing, of each column.
    fn schema(&self) -> Vec<(String, &'static str, bool)> {
        self.columns.columns().iter().map(described).collect()
    }

    /// Begins to make the rows. The thread ends when nobody reads on.
    fn __iter__(&self) -> io::Result<Batches> {
        let (sender, receiver) = sync_channel(WAITING);
        let (session, options) = (Arc::clone(&self.session), self.options.clone());
        let stop = Arc::new(Told::default());
        let stopped = Arc::clone(&stop);
        begin(move || {
            let mut visit = |batch: Batch| {
                if batch.rows() > 0 && sender.send(Ok(Ok(batch))).is_err() {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            };
            let ended = caught(|| {
                threaded(|| {
                    let exporting = session.exporting()?;
                    exporting.batches(&options, &*stopped, &mut visit)
                })
            });
            if let Some(error) = ended.map(Result::err).transpose() {
                let _ = sender.send(error.map(Err));
            }
        })?;
        Ok(Batches {
            batches: Mutex::new(receiver),
            stop,
        })
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.columns)
    }

    fn __arrow_c_stream__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let source = self.__iter__()?;
        // Whoever reads may hold the interpreter's lock, which rules in Python need.
        let next = move || {
            Python::attach(|py| {
                let next = source.next(py).unwrap_or_else(|_| {
                    source.stop.stop();
                    // The reader gets an error of its own, and Python the signal after it.
                    let _ = py
                        .import("_thread")
                        .and_then(|it| it.call_method0("interrupt_main"));
                    Some(Ok(Err(SessionError::Stopped)))
                });
                next.map(|made| {
                    let failed = |error: String| PolarsError::ComputeError(error.into());
                    let batch = made.map_err(|error| failed(error.to_string()))?;
                    array(&batch.map_err(|error| failed(error.to_string()))?)
                })
            })
        };
        let arrays = std::iter::from_fn(next);
        PyCapsule::new_with_value(
            py,
            export_iterator(Box::new(arrays), field(&self.columns)),
            c"arrow_array_stream",
        )
    }
}

/// The type of the rows of a batch, for another library.
fn schema<'py>(py: Python<'py>, batch: &Batch) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, export_field_to_c(&field(batch)), c"arrow_schema")
}

/// The type of the rows of a batch, as that of a stream must be: a structure with a field
/// for each column.
pub(crate) fn field(batch: &Batch) -> Field {
    let columns = batch.columns().iter();
    let fields = columns.map(|it| Field::new(it.name.as_str().into(), types(it).1, it.nullable));
    Field::new("".into(), ArrowDataType::Struct(fields.collect()), false)
}

/// A batch as an array of the type that [`field`] says.
pub(crate) fn array(batch: &Batch) -> PolarsResult<Box<dyn Array>> {
    let columns = batch.columns().iter().map(column).collect();
    let rows = StructArray::try_new(field(batch).dtype, batch.rows(), columns, None)?;
    Ok(Box::new(rows))
}

fn column(column: &DataColumn) -> Box<dyn Array> {
    match &column.values {
        ColumnData::Indices(values) => Box::new(PrimitiveArray::from(values.as_slice())),
        ColumnData::Numbers(values) => Box::new(PrimitiveArray::from(values.as_slice())),
        ColumnData::Flags(values) => Box::new(BooleanArray::from(values.as_slice())),
        ColumnData::Words { words, places } => {
            let word = |place: &Option<i32>| words.get(usize::try_from((*place)?).ok()?);
            let values = places.iter().map(word);
            Box::new(values.collect::<Utf8Array<i32>>())
        }
        ColumnData::Texts(values) => {
            let values = values.iter().map(Option::as_ref);
            Box::new(values.collect::<Utf8Array<i32>>())
        }
    }
}
