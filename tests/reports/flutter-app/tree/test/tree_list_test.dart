import 'package:flutter/material.dart';
import 'package:flutter_test/flutter_test.dart';

void main() {
  testWidgets('an empty book has an empty list', (tester) async {
    await tester.pumpWidget(MaterialApp(home: ListView()));
    expect(find.byType(ListTile), findsNothing);
  });
}
