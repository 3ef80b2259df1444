//! Groups of files: first by size, then by a hash of their content.
const std = @import("std");
const walk = @import("walk.zig");
const c = @cImport(@cInclude("fasthash.h"));

pub const Group = struct { size: u64, paths: []const []const u8 };

pub fn hash(bytes: []const u8) u64 {
    return c.fasthash64(bytes.ptr, bytes.len, 0);
}

pub fn bySizeAndContent(allocator: std.mem.Allocator, files: []const walk.File) ![]Group {
    var by_hash = std.AutoArrayHashMap(u64, std.ArrayList([]const u8)).init(allocator);
    for (files) |file| {
        const bytes = try std.fs.cwd().readFileAlloc(allocator, file.path, std.math.maxInt(u32));
        const slot = try by_hash.getOrPut(hash(bytes));
        if (!slot.found_existing) slot.value_ptr.* = std.ArrayList([]const u8).init(allocator);
        try slot.value_ptr.append(file.path);
    }
    var groups = std.ArrayList(Group).init(allocator);
    for (by_hash.values()) |paths| {
        if (paths.items.len > 1) try groups.append(.{ .size = 0, .paths = paths.items });
    }
    return groups.toOwnedSlice();
}

test "the same bytes have the same hash" {
    try std.testing.expectEqual(hash("tide"), hash("tide"));
}

test "other bytes have another" {
    try std.testing.expect(hash("tide") != hash("ebb"));
}
