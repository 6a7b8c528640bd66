//! Rows as Arrow arrays.

use polars_arrow::array::{Array, BooleanArray, PrimitiveArray, StructArray, Utf8Array};
use polars_arrow::datatypes::{ArrowDataType, Field};
use polars_error::PolarsResult;
use tesuji::export::{Batch, ColumnData, DataColumn};

/// The type of the rows of a batch, as that of a stream must be: a structure with a field
/// for each column.
pub fn field(batch: &Batch) -> Field {
    let fields = batch.columns().iter().map(|column| {
        let of = match column.values() {
            ColumnData::Indices(_) => ArrowDataType::Int64,
            ColumnData::Numbers(_) => ArrowDataType::Int32,
            ColumnData::Flags(_) => ArrowDataType::Boolean,
            ColumnData::Words { .. } | ColumnData::Texts(_) => ArrowDataType::Utf8,
        };
        Field::new(column.name().into(), of, column.is_nullable())
    });
    Field::new("".into(), ArrowDataType::Struct(fields.collect()), false)
}

/// A batch as an array of the type that [`field`] says.
pub fn array(batch: &Batch) -> PolarsResult<Box<dyn Array>> {
    let columns = batch.columns().iter().map(column).collect();
    let rows = StructArray::try_new(field(batch).dtype, batch.rows(), columns, None)?;
    Ok(Box::new(rows))
}

fn column(column: &DataColumn) -> Box<dyn Array> {
    match column.values() {
        ColumnData::Indices(values) => Box::new(PrimitiveArray::from(values.as_slice())),
        ColumnData::Numbers(values) => Box::new(PrimitiveArray::from(values.as_slice())),
        ColumnData::Flags(values) => Box::new(BooleanArray::from(values.as_slice())),
        ColumnData::Words { words, places } => {
            let word = |place: &Option<i32>| words.get(usize::try_from((*place)?).ok()?);
            let values = places.iter().map(word);
            Box::new(values.collect::<Utf8Array<i32>>())
        }
        ColumnData::Texts(values) => Box::new(
            values
                .iter()
                .map(Option::as_ref)
                .collect::<Utf8Array<i32>>(),
        ),
    }
}
