//! Rows in memory.

use std::sync::Arc;

use polars_arrow::ffi::export_iterator;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use tesuji::export::{Batch, ColumnData, DataColumn};

use crate::arrow::{array, field};

/// Rows of one array of the stream at most, so that texts have offsets of four bytes.
const ROWS: usize = 1 << 22;

/// Rows with named columns.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Frame(Arc<Batch>);

impl Frame {
    /// The rows of a batch.
    pub fn new(batch: Batch) -> Self {
        Self(Arc::new(batch))
    }
}

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
        let found = columns.find(|column| column.name() == name);
        let column = found.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        values(py, column.values())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The types are as they are; a consumer casts what it wants otherwise.
        drop(requested_schema);
        let arrays: Vec<_> = if self.0.rows() <= ROWS {
            vec![array(&self.0)]
        } else {
            let mut rest = Batch::clone(&self.0);
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

/// Name, SQL type and whether values may be missing.
pub fn described(column: &DataColumn) -> (String, &'static str, bool) {
    let of = match column.values() {
        ColumnData::Indices(_) => "BIGINT",
        ColumnData::Numbers(_) => "INTEGER",
        ColumnData::Flags(_) => "BOOLEAN",
        ColumnData::Words { .. } | ColumnData::Texts(_) => "VARCHAR",
    };
    (column.name().to_owned(), of, column.is_nullable())
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
