//! All files below a folder. Links are not followed.
const std = @import("std");

pub const File = struct { path: []const u8, size: u64 };

pub fn files(allocator: std.mem.Allocator, root: []const u8) ![]File {
    var dir = try std.fs.cwd().openDir(root, .{ .iterate = true });
    defer dir.close();
    var walker = try dir.walk(allocator);
    var found = std.ArrayList(File).init(allocator);
    while (try walker.next()) |entry| {
        if (entry.kind != .file or skips(entry.basename)) continue;
        const stat = try dir.statFile(entry.path);
        try found.append(.{ .path = try allocator.dupe(u8, entry.path), .size = stat.size });
    }
    return found.toOwnedSlice();
}

fn skips(name: []const u8) bool {
    return std.mem.eql(u8, name, ".DS_Store") or std.mem.eql(u8, name, "Thumbs.db");
}

test "thumbnails are skipped" {
    try std.testing.expect(skips("Thumbs.db"));
}

test "pictures are not" {
    try std.testing.expect(!skips("beach.jpg"));
}
