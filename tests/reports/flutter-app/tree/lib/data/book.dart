import 'package:flutter/foundation.dart';

import 'local_store.dart';
import 'remote_store.dart';
import 'tree.dart';

/// The book of one orchard: what stands in the local store, brought together with Firestore when there is a network.
class Book extends ChangeNotifier {
  Book(this._local, this._remote);

  final LocalStore _local;
  final RemoteStore _remote;
  List<Tree> trees = const [];

  static Future<Book> open() async {
    final book = Book(await LocalStore.open(), RemoteStore());
    await book.reload();
    return book;
  }

  Future<void> reload() async {
    trees = await _local.all();
    notifyListeners();
  }

  Future<void> record(Tree tree, double kilograms) async {
    final grown = tree.withHarvest(kilograms);
    await _local.save(grown);
    await _remote.push(grown);
    await reload();
  }
}
