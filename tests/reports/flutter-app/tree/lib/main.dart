import 'package:firebase_core/firebase_core.dart';
import 'package:flutter/material.dart';
import 'package:provider/provider.dart';

import 'data/book.dart';
import 'screens/tree_list.dart';

Future<void> main() async {
  WidgetsFlutterBinding.ensureInitialized();
  await Firebase.initializeApp();
  final book = await Book.open();
  runApp(ChangeNotifierProvider.value(value: book, child: const OrchardApp()));
}

class OrchardApp extends StatelessWidget {
  const OrchardApp({super.key});

  @override
  Widget build(BuildContext context) {
    return MaterialApp(
      title: 'Orchard Book',
      theme: ThemeData(colorSchemeSeed: Colors.green),
      home: const TreeList(),
    );
  }
}
