use luminos_core::scan::Category;
pub(crate) struct Description {
    pub(crate) text: std::borrow::Cow<'static, str>,
    pub(crate) category: Category,
}
pub(crate) fn describe(_head: &[u8], _size: u64) -> Description {
    Description { text: "data".into(), category: Category::Unknown }
}
