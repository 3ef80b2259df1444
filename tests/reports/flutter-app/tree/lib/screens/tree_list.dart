import 'package:blossom_chart/blossom_chart.dart';
import 'package:flutter/material.dart';
import 'package:provider/provider.dart';

import '../data/book.dart';

/// All trees, row by row, with a small chart of what each bore.
class TreeList extends StatelessWidget {
  const TreeList({super.key});

  @override
  Widget build(BuildContext context) {
    final trees = context.watch<Book>().trees;
    return Scaffold(
      appBar: AppBar(title: const Text('Trees')),
      body: ListView(
        children: [
          for (final tree in trees)
            ListTile(
              title: Text(tree.variety),
              subtitle: Text('Row ${tree.row}'),
              trailing: BlossomChart(values: tree.harvests.values.toList()),
            ),
        ],
      ),
    );
  }
}
