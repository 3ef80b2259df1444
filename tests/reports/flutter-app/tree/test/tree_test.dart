import 'package:flutter_test/flutter_test.dart';
import 'package:orchard_book/data/tree.dart';

void main() {
  test('a harvest adds to its year', () {
    const tree = Tree(id: 't1', variety: 'Boskoop', row: 3, harvests: {2023: 40});
    expect(tree.withHarvest(2.5, year: 2023).harvests[2023], 42.5);
  });

  test('the total is over all years', () {
    const tree = Tree(id: 't1', variety: 'Boskoop', row: 3, harvests: {2022: 10, 2023: 40});
    expect(tree.total, 50);
  });
}
