"""Runs the SQL of filter files, unchanged, on an exported data set in DuckDB and Polars, and with
--spark in Apache Spark too, and demands that all of them find the same rows.

    tesuji export ostle:4x4,pieces=3,losses=2 --board --output states
    python compare.py states filters/*.toml --spark

Spark runs as a standalone cluster on this machine: a master and two workers, each with an
executor in a process of its own (`local-cluster[2,1,1024]`). Exit code 1 if engines disagree.
"""

import argparse
import csv
import hashlib
import json
import os
import platform
import sys
import time
import tomllib
from pathlib import Path


class DuckDB:
    """DuckDB, on the files by a glob."""

    def __init__(self, folder):
        import duckdb

        self.name = f"DuckDB {duckdb.__version__}"
        self.connection = duckdb.connect()
        files = str(folder / "data" / "*.parquet").replace("'", "''")
        self.connection.execute(f"CREATE VIEW states AS SELECT * FROM '{files}'")

    def columns(self):
        return [row[0] for row in self.connection.execute("DESCRIBE states").fetchall()]

    def rows(self):
        return self.connection.execute("SELECT count(*) FROM states").fetchone()[0]

    def find(self, keys, condition):
        sql = f"SELECT {', '.join(keys)} FROM states WHERE {condition}"
        return self.connection.execute(sql).fetchall()

    def close(self):
        self.connection.close()


class Polars:
    """Polars, lazily on the folder."""

    def __init__(self, folder):
        import polars

        self.name = f"Polars {polars.__version__}"
        self.states = polars.scan_parquet(folder / "data")
        self.context = polars.SQLContext(states=self.states)

    def rows(self):
        return self.context.execute("SELECT count(*) AS n FROM states").collect().item()

    def find(self, keys, condition):
        sql = f"SELECT {', '.join(keys)} FROM states WHERE {condition}"
        return self.context.execute(sql).collect().rows()

    def close(self):
        pass


class Spark:
    """Apache Spark: a master, two workers with an executor each, and this driver."""

    MASTER = "local-cluster[2,1,1024]"

    def __init__(self, folder):
        # The executors' processes look for Spark there.
        import pyspark

        os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        from pyspark.sql import SparkSession

        self.session = (
            SparkSession.builder.master(self.MASTER)
            .appName("tesuji-interop")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.executor.memory", "900m")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            # All executors must be there before the first task, so that both get work.
            .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
            .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s")
            .getOrCreate()
        )
        self.session.sparkContext.setLogLevel("ERROR")
        self.name = f"Spark {self.session.version} {self.MASTER}"
        java = self.session._jvm.java.lang.System.getProperty("java.version")
        print(f"Java {java}")
        self.states = self.session.read.parquet(str(folder / "data"))
        self.states.createOrReplaceTempView("states")

    def rows(self):
        return self.states.count()

    def find(self, keys, condition):
        sql = f"SELECT {', '.join(keys)} FROM states WHERE {condition}"
        return [tuple(row) for row in self.session.sql(sql).collect()]

    def executors(self):
        """Each executor with the tasks that it completed and failed, as Spark counts them."""
        store = self.session.sparkContext._jsc.sc().statusStore()
        executors = store.executorList(True)
        found = []
        for place in range(executors.size()):
            executor = executors.apply(place)
            found.append((executor.id(), executor.completedTasks(), executor.failedTasks()))
        return sorted(found)

    def close(self):
        self.session.stop()


def check_files(folder, expected):
    """What the data set says of itself: pyarrow reads its folder, and finds the columns of
    `_columns.csv` with their types, the keys and values of `_dataset.json` and as many rows, in the
    order it tells."""
    import pyarrow
    import pyarrow.dataset
    import pyarrow.parquet

    about = json.loads((folder / "_dataset.json").read_text())
    with open(folder / "_columns.csv", newline="") as file:
        columns = {row["name"]: row for row in csv.DictReader(file)}
    data = pyarrow.dataset.dataset(folder / "data")
    assert data.count_rows() == about["rows"] == expected
    assert set(data.schema.names) == set(columns), data.schema
    types = {"BIGINT": pyarrow.int64(), "INTEGER": pyarrow.int32(), "BOOLEAN": pyarrow.bool_(),
             "VARCHAR": pyarrow.string()}
    files = sorted(str(path.relative_to(folder)) for path in (folder / "data").rglob("*.parquet"))
    assert files == sorted(file["path"] for file in about["files"])
    for file in about["files"]:
        content = (folder / file["path"]).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file["bytes"], file["sha256"])
        parquet = pyarrow.parquet.ParquetFile(folder / file["path"])
        keys = {key.decode(): value.decode() for key, value in parquet.metadata.metadata.items()}
        assert parquet.metadata.num_rows == file["rows"]
        assert keys["tesuji.game"] == about["game"]
        assert keys["tesuji.fingerprint"] == about["fingerprint"]
        assert keys["tesuji.writer"] == about["writer"] == parquet.metadata.created_by
        slot = parquet.schema_arrow.names.index(about["sorted_by"])
        for group in range(parquet.metadata.num_row_groups):
            group = parquet.metadata.row_group(group)
            order = group.sorting_columns
            assert [(by.column_index, by.descending) for by in order] == [(slot, False)]
            assert "DELTA_BINARY_PACKED" in group.column(slot).encodings
        for field in parquet.schema_arrow:
            column = columns[field.name]
            assert field.type == types[column["type"]], field
            assert field.nullable == (column["nullable"] == "true"), field
    print(f"pyarrow {pyarrow.__version__}: {about['rows']:,} rows in {len(files)} files, as they say")


def mined(path):
    """How many states each filter admits, from what `tesuji mine` printed."""
    found = {}
    for line in path.read_text().splitlines():
        fields = line.split()
        if len(fields) > 2 and fields[1].replace(",", "").isdigit():
            found[fields[0]] = int(fields[1].replace(",", ""))
    return found


def timed(work, *args):
    begun = time.perf_counter()
    result = work(*args)
    return result, time.perf_counter() - begun


def load(path):
    with open(path, "rb") as file:
        return tomllib.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a data set of 'tesuji export --board'")
    parser.add_argument("filters", type=Path, nargs="+", help="filter files")
    parser.add_argument("--spark", action="store_true", help="compare with Spark too")
    parser.add_argument("--mined", type=Path, help="what 'tesuji mine' printed, to compare counts")
    args = parser.parse_args()
    if not args.folder.is_dir():
        parser.error(f"{args.folder} is no folder; make it with 'tesuji export --board'")

    filters = [load(path) for path in args.filters]
    print(f"Python {platform.python_version()}")
    engines = []
    agree = True
    try:
        for kind in [DuckDB, Polars] + [Spark] * args.spark:
            engine, seconds = timed(kind, args.folder)
            engines.append(engine)
            rows, counting = timed(engine.rows)
            print(f"{engine.name}: {rows:,} rows, began in {seconds:.2f} s, counted in {counting:.2f} s")
            if kind is DuckDB:
                expected = rows
                columns = engine.columns()
            agree &= rows == expected
        check_files(args.folder, expected)

        # A data set with restricted states has several rows a slot, which filters without
        # states = "all" do not see.
        keys = ["slot"] + ["forbidden"] * ("forbidden" in columns)
        for found in filters:
            condition = found["predicate"]
            print(f"\n{found['name']}: {condition}")
            if len(keys) > 1 and found.get("states", "unrestricted") == "unrestricted":
                condition = f"({condition}) AND NOT restricted"
            first = None
            if args.mined:
                admitted = mined(args.mined)[found["name"]]
                print(f"  {'tesuji mine':36} {admitted:>10,} rows")
            for engine in engines:
                rows, seconds = timed(engine.find, keys, condition)
                rows = sorted(rows, key=lambda row: tuple((cell is not None, cell) for cell in row))
                first = rows if first is None else first
                same = rows == first and (not args.mined or len(rows) == admitted)
                agree &= same
                verdict = "" if same else "  NOT THE SAME ROWS"
                print(f"  {engine.name:36} {len(rows):>10,} rows {seconds:8.2f} s{verdict}")
        for engine in engines:
            if isinstance(engine, Spark):
                print("\nSpark's executors: tasks completed, failed")
                for name, completed, failed in engine.executors():
                    print(f"  {name:8} {completed:>6} {failed:>6}")
    finally:
        for engine in engines:
            engine.close()
    print("\nall engines find the same rows" if agree else "\nENGINES DISAGREE")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
