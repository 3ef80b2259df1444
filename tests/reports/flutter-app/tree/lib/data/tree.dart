/// A tree, where it stands and what it bore by year.
class Tree {
  const Tree({required this.id, required this.variety, required this.row, this.harvests = const {}});

  final String id;
  final String variety;
  final int row;
  final Map<int, double> harvests;

  double get total => harvests.values.fold(0, (sum, each) => sum + each);

  Tree withHarvest(double kilograms, {int? year}) {
    final at = year ?? DateTime.now().year;
    return Tree(
      id: id,
      variety: variety,
      row: row,
      harvests: {...harvests, at: (harvests[at] ?? 0) + kilograms},
    );
  }
}
