//! F20: the power goes. What was made to last is there, what was not is gone, and the run goes on.
//!
//! The state directory lies on a file system of its own, on a loop device. Pulling the plug is asked of the file system
//! itself: it stops at once, without writing anything that it still had in memory, and is mounted again as after a crash
//! of the machine. What disks do with what they were given is not tried here: the device keeps all it got.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use luminos_model_server::Policy;
use serde_json::Value;

use super::disk::{Disk, copied, inside};
use super::house::{House, Random, Reference, not_tested};
use crate::machine::finish;
use crate::site::{PATIENCE, until};

/// One question at a time: at most that one can be lost.
const ARGUMENTS: &str = "--parallel 1 --workers 1 .";
const CUTS: u32 = 12;

/// A disk whose plug can be pulled. What it has in memory it writes when it is asked to, and not before.
struct Plugged {
    disk: Disk,
    image: PathBuf,
    _place: tempfile::TempDir,
}

impl Plugged {
    #[expect(clippy::disallowed_methods, reason = "a file system is made by a program")]
    fn new() -> Option<Self> {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let place = place.unwrap();
        let image = place.path().join("image");
        fs::File::create(&image).unwrap().set_len(96 << 20).unwrap();
        let made = Command::new("mkfs.ext4").arg("-q").arg(&image).stderr(Stdio::null()).status();
        let is_possible = rustix::process::geteuid().is_root() && made.is_ok_and(|made| made.success());
        if !is_possible {
            not_tested("only root can have a file system on a loop device, made with mkfs.ext4");
            return None;
        }
        let disk = Disk::of(&Self::how(&image))?;
        let plugged = Self { disk, image, _place: place };
        Some(plugged)
    }

    fn how(image: &Path) -> String {
        // Names and sizes may last before what they are of: the file system makes no promises but those it is asked for.
        format!("-o loop,commit=300,data=writeback '{}'", image.display())
    }

    fn shell(&self, house: &House, script: &str) -> bool {
        inside(&self.disk, &house.site.machine.shell(script)).status().unwrap().success()
    }

    /// Pulls the plug: nothing that is in memory reaches the disk any more.
    fn pull(&self, house: &House) {
        // `EXT4_IOC_SHUTDOWN`, without flushing the log.
        let shut = r#"open(F, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); ioctl(F, 0x8004587D, $how) or die $!"#;
        let place = self.disk.place.path().display();
        assert!(self.shell(house, &format!("perl -e '{shut}' '{place}'")), "the plug cannot be pulled");
    }

    /// Plugs it in again: the file system finds what had reached the disk.
    fn plug_in(&self, house: &House) {
        let (place, how) = (self.disk.place.path().display(), Self::how(&self.image));
        // Somebody who died may hold it for a moment.
        until(|| self.shell(house, &format!("umount '{place}' 2>/dev/null")));
        assert!(self.shell(house, &format!("mount {how} '{place}'")));
    }
}

/// The power goes at any moment, again and again: at most the question is lost that was on its way.
#[test]
fn what_was_acknowledged_outlives_a_loss_of_power() {
    let Some(plugged) = Plugged::new() else { return };
    let mut random = Random::new("what_was_acknowledged_outlives_a_loss_of_power");
    let reference = Reference::new(ARGUMENTS);
    let inner = plugged.disk.state();
    let mut house = House::at(inner.clone(), Policy::default());
    fs::set_permissions(plugged.disk.seen("."), std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let mut forgot = 0;
    for cut in 1..=CUTS {
        let mut client = inside(&plugged.disk, &house.site.run_command(ARGUMENTS));
        let mut client =
            client.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let moment = house.asked() + 1 + random.below(reference.asked / 3);
        until(|| moment <= house.asked() || client.try_wait().unwrap().is_some());
        // What nobody has asked to last does not, unless the kernel happens to write it just now; its name may, with others'.
        let never_synced = plugged.disk.seen(&format!("never-synced-{cut}"));
        fs::File::create(&never_synced).unwrap().write_all(b"gone").unwrap();
        plugged.pull(&house);
        // Without power nobody goes on.
        let _ = client.kill();
        let _ = client.wait();
        house.site.kill(&house.processes("serve"));
        house.has_no_orphans("without power");
        plugged.plug_in(&house);
        forgot += u32::from(fs::read(&never_synced).unwrap_or_default() != b"gone");
        let lost = house.lost_at_death(&plugged.disk.seen("state"));
        assert!(lost <= 1, "cut {cut}: {lost} answers that were acknowledged are gone");
        let found = inside(&plugged.disk, &house.site.command("fsck --json")).output().unwrap();
        let found: Value = serde_json::from_slice(&found.stdout).unwrap();
        let faults: Vec<&Value> =
            found["findings"].as_array().unwrap().iter().filter(|found| found["is_fault"] == true).collect();
        assert!(faults.is_empty(), "cut {cut}: {faults:#?}");
    }
    println!("{CUTS} cuts, in {forgot} of them the disk forgot what nobody had asked it to keep");
    assert!(CUTS / 3 <= forgot, "the power was hardly ever off: {forgot} of {CUTS}");
    let last = finish(&mut inside(&plugged.disk, &house.site.run_command(ARGUMENTS)), PATIENCE);
    assert_eq!(last.status.code(), Some(0), "{}", String::from_utf8_lossy(&last.stderr));
    assert!(inside(&plugged.disk, &house.site.command("daemon stop")).status().unwrap().success());
    // Everything is compared where it can be seen.
    house = House::seeing(house, copied(&plugged.disk.seen("state")));
    house.is_as(&reference, &format!("after {CUTS} cuts"));
}
