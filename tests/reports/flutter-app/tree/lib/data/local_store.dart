import 'package:path/path.dart';
import 'package:sqflite/sqflite.dart';

import 'tree.dart';

/// Trees in a database on the phone.
class LocalStore {
  LocalStore(this._database);

  final Database _database;

  static Future<LocalStore> open() async {
    final path = join(await getDatabasesPath(), 'orchard.db');
    return LocalStore(await openDatabase(path, version: 2, onCreate: (db, _) async {
      await db.execute('CREATE TABLE trees (id TEXT PRIMARY KEY, variety TEXT, row INTEGER)');
      await db.execute('CREATE TABLE harvests (tree TEXT, year INTEGER, kilograms REAL)');
    }));
  }

  Future<List<Tree>> all() async {
    final rows = await _database.query('trees', orderBy: 'row');
    return [for (final row in rows) Tree(id: row['id']! as String, variety: row['variety']! as String, row: row['row']! as int)];
  }

  Future<void> save(Tree tree) =>
      _database.insert('trees', {'id': tree.id, 'variety': tree.variety, 'row': tree.row},
          conflictAlgorithm: ConflictAlgorithm.replace);
}
