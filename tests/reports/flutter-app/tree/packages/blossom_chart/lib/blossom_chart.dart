library blossom_chart;

import 'package:flutter/material.dart';

/// Bars without axes, for the end of a list tile.
class BlossomChart extends StatelessWidget {
  const BlossomChart({super.key, required this.values});

  final List<double> values;

  @override
  Widget build(BuildContext context) => SizedBox(
        width: 48,
        height: 24,
        child: Row(children: [for (final value in values) Expanded(child: FractionallySizedBox(heightFactor: value / 100))]),
      );
}
