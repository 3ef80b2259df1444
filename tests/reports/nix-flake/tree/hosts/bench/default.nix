{ pkgs, self, ... }:
{
  fileSystems."/" = { device = "/dev/disk/by-label/root"; fsType = "ext4"; };
  services.xserver.enable = true;
  services.xserver.desktopManager.xfce.enable = true;
  environment.systemPackages = [ self.packages.x86_64-linux.label-printer pkgs.inkscape ];
}
