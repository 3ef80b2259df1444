//! Disk images, file systems and boot sectors.

use luminos_core::scan::Category::Archive;

use super::Description;
use super::head::Endian::{Big, Little};
use super::head::Head;
use super::signature::{Signature, read, words};

pub(super) const SIGNATURES: &[Signature] = &[
    read(b"QFI\xfb", qcow),
    words(b"KDMV", Archive, "VMware4 disk image"),
    words(b"COWD", Archive, "VMware3 disk image"),
    words(b"# Disk DescriptorFile", Archive, "VMware4 disk image description"),
    words(b"<<< Oracle VM VirtualBox Disk Image >>>\n", Archive, "VirtualBox Disk Image"),
    words(b"<<< Sun VirtualBox Disk Image >>>\n", Archive, "VirtualBox Disk Image"),
    words(b"conectix", Archive, "Microsoft Disk Image, Virtual Server or Virtual PC"),
    words(b"vhdxfile", Archive, "Microsoft Disk Image eXtended"),
    read(b"hsqs", squash),
    words(b"sqsh", Archive, "Squashfs filesystem, big endian"),
    words(b"\x45\x3d\xcd\x28", Archive, "Linux Compressed ROM File System data, little endian"),
    words(b"-rom1fs-", Archive, "romfs filesystem, version 1"),
    words(b"\x85\x19\x03\x20", Archive, "Linux jffs2 filesystem data little endian"),
    words(b"UBI#\x01", Archive, "UBI image, version 1"),
    words(b"XFSB\0\0", Archive, "SGI XFS filesystem data"),
    words(b"LUKS\xba\xbe\0\x01", Archive, "LUKS encrypted file, ver 1"),
    words(b"LUKS\xba\xbe\0\x02", Archive, "LUKS encrypted file, ver 2"),
    words(b"\x27\x05\x19\x56", Archive, "u-boot legacy uImage"),
    words(b"\xd0\x0d\xfe\xed", Archive, "Device Tree Blob"),
    words(b"ANDROID!", Archive, "Android bootimg"),
    words(b"HdrS", Archive, "Linux kernel x86 boot executable").at(514),
    words(b"_BHRfS_M", Archive, "BTRFS Filesystem").at(65600),
    words(b"SWAPSPACE2", Archive, "Linux swap file").at(4086),
    words(b"\xe2\xe1\xf5\xe0", Archive, "EROFS filesystem").at(1024),
    read(b"\x53\xef", ext).at(1080),
    words(b"CD001", Archive, "ISO 9660 CD-ROM filesystem data").at(32769),
    read(b"\x55\xaa", boot_sector).at(510),
];

fn disk(text: String) -> Option<Description> {
    Some(Description::new(Archive, text))
}

fn qcow(head: Head<'_>) -> Option<Description> {
    let (version, bytes) = (head.u32(4, Big)?, head.u64(24, Big)?);
    disk(format!("QEMU QCOW Image (v{version}), {bytes} bytes"))
}

fn squash(head: Head<'_>) -> Option<Description> {
    let compression = match head.u16(20, Little)? {
        1 => ", zlib compressed",
        2 => ", lzma compressed",
        3 => ", lzo compressed",
        4 => ", xz compressed",
        5 => ", lz4 compressed",
        6 => ", zstd compressed",
        _ => "",
    };
    let (major, minor) = (head.u16(28, Little)?, head.u16(30, Little)?);
    disk(format!("Squashfs filesystem, little endian, version {major}.{minor}{compression}"))
}

/// The generation follows from the features: journals came with ext3, extents with ext4.
fn ext(head: Head<'_>) -> Option<Description> {
    const JOURNAL: u32 = 0x4;
    const EXTENTS: u32 = 0x40;
    let (state, errors) = (head.u16(1082, Little)?, head.u16(1084, Little)?);
    if 7 < state || 3 < errors {
        return None;
    }
    let (compatible, incompatible) = (head.u32(1116, Little)?, head.u32(1120, Little)?);
    let generation = match () {
        () if incompatible & EXTENTS != 0 => 4,
        () if compatible & JOURNAL != 0 => 3,
        () => 2,
    };
    let (major, minor) = (head.u32(1100, Little)?, head.u16(1086, Little)?);
    disk(format!("Linux rev {major}.{minor} ext{generation} filesystem data"))
}

fn boot_sector(head: Head<'_>) -> Option<Description> {
    if head.has(512, b"EFI PART") {
        return disk("DOS/MBR boot sector; GPT partition table".into());
    }
    let (jump, target) = (head.u8(0)?, head.u8(1)?);
    let maker = head.word(3, 8);
    // A text can have these two bytes only in an odd encoding, where it has none of the zeros of a sector.
    if !head.slice(0, 512).contains(&0) {
        return None;
    }
    match jump {
        0xeb if !maker.is_empty() => {
            disk(format!("DOS/MBR boot sector, code offset {target:#x}+2, OEM-ID \"{maker}\""))
        }
        _ => Some(Description::new(Archive, "DOS/MBR boot sector")),
    }
}
