"""One SQLite file with one table of ticks."""
import sqlite3

SCHEMA = "CREATE TABLE IF NOT EXISTS ticks (gauge TEXT, at INTEGER, bad INTEGER DEFAULT 0)"


def connect(path):
    db = sqlite3.connect(path)
    db.execute(SCHEMA)
    return db


def add(db, gauge, at):
    db.execute("INSERT INTO ticks (gauge, at) VALUES (?, ?)", (gauge, at))
    db.commit()


def count(db, gauge, start, end):
    sql = "SELECT COUNT(*) FROM ticks WHERE gauge = ? AND at >= ? AND at < ? AND NOT bad"
    return db.execute(sql, (gauge, start, end)).fetchone()[0]
