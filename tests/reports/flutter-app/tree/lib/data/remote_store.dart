import 'package:cloud_firestore/cloud_firestore.dart';

import 'tree.dart';

/// The shared copy of the book.
class RemoteStore {
  final _trees = FirebaseFirestore.instance.collection('trees');

  // TODO: what if two phones record the same tree on the same day?
  Future<void> push(Tree tree) => _trees.doc(tree.id).set({
        'variety': tree.variety,
        'row': tree.row,
        'harvests': tree.harvests.map((year, kg) => MapEntry('$year', kg)),
      });
}
