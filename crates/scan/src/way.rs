//! Where a directory lies, by the names on the way to it.
//!
//! Directories that wait to be listed share the names above them: a path for each would take memory by the
//! square of the depth, gigabytes for a few thousand nested directories with long names.

use std::sync::Arc;

/// A directory: its name, and the one it lies in.
#[derive(Debug)]
pub(crate) struct Way {
    above: Option<Arc<Way>>,
    name: Box<[u8]>,
}

impl Way {
    /// The target itself; what leads there is empty, or ends with a slash.
    pub(crate) fn to_target(prefix: &[u8]) -> Arc<Self> {
        Arc::new(Self { above: None, name: prefix.into() })
    }

    /// A directory in this one.
    pub(crate) fn to(self: &Arc<Self>, name: &[u8]) -> Arc<Self> {
        Arc::new(Self { above: Some(Arc::clone(self)), name: name.into() })
    }

    /// The directory's name; nothing for the target.
    pub(crate) fn name(&self) -> &[u8] {
        if self.above.is_some() { &self.name } else { b"" }
    }

    /// The path with what leads to the target.
    pub(crate) fn path(&self) -> Vec<u8> {
        self.names_after(|target| target)
    }

    /// The path from the target.
    pub(crate) fn path_from_target(&self) -> Vec<u8> {
        self.names_after(|_| b"")
    }

    fn names_after(&self, start: impl FnOnce(&[u8]) -> &[u8]) -> Vec<u8> {
        let mut names: Vec<&[u8]> = Vec::new();
        let mut at = self;
        while let Some(above) = &at.above {
            names.push(&at.name);
            at = above;
        }
        let start = start(&at.name);
        let mut path =
            Vec::with_capacity(start.len() + names.iter().map(|name| name.len() + 1).sum::<usize>());
        path.extend_from_slice(start);
        for (index, name) in names.iter().rev().enumerate() {
            if index > 0 {
                path.push(b'/');
            }
            path.extend_from_slice(name);
        }
        path
    }
}

/// One after the other: thousands of nested directories would otherwise be as many nested calls.
impl Drop for Way {
    fn drop(&mut self) {
        let mut next = self.above.take();
        while let Some(mut way) = next.and_then(Arc::into_inner) {
            next = way.above.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Way;

    #[test]
    fn paths_are_made_of_the_names_on_the_way() {
        let target = Way::to_target(b"above/target/");
        let below = target.to(b"a").to(b"b");
        assert_eq!((target.name(), below.name()), (&b""[..], &b"b"[..]));
        assert_eq!((target.path(), below.path()), (b"above/target/".to_vec(), b"above/target/a/b".to_vec()));
        assert_eq!((target.path_from_target(), below.path_from_target()), (b"".to_vec(), b"a/b".to_vec()));
    }

    #[test]
    fn a_long_way_ends_without_a_deep_stack() {
        let mut way = Way::to_target(b"");
        for _ in 0..1_000_000 {
            way = way.to(b"d");
        }
        drop(way);
    }
}
