{ python3Packages }:
python3Packages.buildPythonApplication {
  pname = "label-printer";
  version = "0.2.0";
  src = ./.;
  pyproject = false;
  installPhase = ''
    install -Dm755 label.py $out/bin/label
  '';
  meta.description = "Prints labels for drawers";
}
