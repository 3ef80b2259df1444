{
  description = "Machines of the workshop";

  inputs = {
    nixpkgs.url = "github:NixOS/nixpkgs/nixos-24.05";
    agenix.url = "github:ryantm/agenix";
    agenix.inputs.nixpkgs.follows = "nixpkgs";
  };

  outputs = { self, nixpkgs, agenix }:
    let
      system = "x86_64-linux";
      pkgs = nixpkgs.legacyPackages.${system};
      host = name: nixpkgs.lib.nixosSystem {
        inherit system;
        specialArgs = { inherit self; };
        modules = [
          agenix.nixosModules.default
          ./modules/base.nix
          ./hosts/${name}
          { networking.hostName = name; }
        ];
      };
    in
    {
      nixosConfigurations = nixpkgs.lib.genAttrs [ "lathe" "router" "bench" ] host;

      packages.${system}.label-printer = pkgs.callPackage ./pkgs/label-printer { };

      devShells.${system}.default = pkgs.mkShell {
        packages = [ pkgs.nixpkgs-fmt agenix.packages.${system}.default ];
      };

      checks.${system} = {
        label-printer = self.packages.${system}.label-printer;
        backup = pkgs.callPackage ./tests/backup.nix { };
      };

      formatter.${system} = pkgs.nixpkgs-fmt;
    };
}
