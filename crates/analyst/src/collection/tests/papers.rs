//! Documents, books, pages and what people keep beside them: titles that are titles, and nothing that is nobody's business.

use super::super::office::tests::zip;
use super::{put_bytes, tells};
use crate::fixture::put;

fn pdf(title: &str, inside: &str) -> String {
    format!(
        "%PDF-1.4\n2 0 obj\n<< /Type /Pages /Count 2 >>\nendobj\n3 0 obj\n<< {title} >>\nendobj\n4 0 obj\n<< {inside} >>\nendobj\n%%EOF\n"
    )
}

#[test]
fn titles_are_titles_and_what_is_private_is_not_told() {
    let target = tempfile::tempdir().unwrap();
    let lease = "<w:p><w:pPr><w:pStyle w:val=\"Title\"/></w:pPr><w:r><w:t>Mietvertrag</w:t></w:r></w:p><w:p><w:r><w:t>Der Mieter zahlt die Miete, und der Vermieter ist mit der Zahlung von den Kosten nicht belastet, das gilt für die Wohnung.</w:t></w:r></w:p>";
    let about =
        "<dc:title/><dc:creator>Maria Keller</dc:creator><dc:description>made by a program</dc:description>";
    for (name, more) in [("Lease", ""), ("Lease v2", " "), ("Lease FINAL", "  ")] {
        let parts = [("docProps/core.xml", about), ("word/document.xml", &format!("{lease}{more}"))];
        put_bytes(&target, &format!("contracts/{name}.docx"), &zip(&parts));
    }
    put(&target, "contracts/scan1.pdf", &pdf("/Title (untitled)", "/Subtype /Image"));
    put(&target, "contracts/cut.pdf", "%PDF-1.4\n1 0 obj\n<< /Type /Pages /Count 3 >>\n");
    put(&target, "contracts/~$Lease.docx", "lock");
    for month in [1, 2, 3, 4, 6, 7] {
        let title = format!("/Title (Bill {month:02}/2023)");
        put(&target, &format!("bills/bill_2023-{month:02}.pdf"), &pdf(&title, "/Font"));
    }
    for year in [2019, 2020, 2022, 2023] {
        put(&target, &format!("taxes/{year}/tax.pdf"), &pdf(&format!("/Title (Tax {year})"), "/Font"));
    }
    put(&target, "desk/passwords.txt", "gmail maria Sommer2019!\n");
    put(&target, "desk/bank notes.txt", "ebanking login 123456 Katze77!\n");
    put(&target, "desk/card.txt", "Visa 4539 1488 0343 6467 exp 04/27\n");
    put(&target, "desk/options.txt", "version:3105\n");
    let slides = "<a:p><a:r><a:t>Strategy 2025</a:t></a:r></a:p>";
    let parts = [
        ("docProps/core.xml", "<dc:title>PowerPoint Presentation</dc:title>"),
        ("ppt/slides/slide1.xml", slides),
        ("ppt/slides/slide2.xml", slides),
    ];
    put_bytes(&target, "desk/talk.pptx", &zip(&parts));
    let (_, _, script) = crate::tests::whole_of(&target);
    let rules: Vec<Option<String>> = script.flags().into_iter().map(|flag| flag.rule).collect();
    assert!(rules.contains(&Some("secret.payment-card".to_owned())), "{rules:?}");
    tells(
        &target,
        &[
            "‘Mietvertrag’ (3×)",
            "; 3 in German; ",
            "3 versions of one document: `Lease FINAL.docx`, `Lease v2.docx` and `Lease.docx`",
            "`scan1.pdf` (2 pages)",
            "`scan1.pdf` is a picture of paper without text",
            "its end is not that of a PDF file",
            "what an office program leaves beside a document that is open",
            "‘Bill 01/2023’ to ‘Bill 07/2023’ (6)",
            "no `bill_*.pdf` for 2023-05",
            "nothing for 2021, between 2019 and 2023",
            "‘Tax 2019’ (2 pages)); 3 more like it, up to `taxes/2023`",
            "`taxes/2019/` to `taxes/2023/` (4 directories, 4 files)",
            "‘Strategy 2025’ (2 slides)",
            "`passwords.txt`",
        ],
        &[
            "Keller",
            "made by a program",
            "untitled",
            "Sommer2019",
            "Katze77",
            "4539 1488",
            "version:3105",
            "PowerPoint",
        ],
    );
}

#[test]
fn books_contacts_calendars_notebooks_and_pages_are_told() {
    let target = tempfile::tempdir().unwrap();
    let container = "<rootfile full-path=\"content.opf\"/>";
    for (name, language) in [("Der Prozess", "de"), ("Amerika", "de")] {
        let about = format!(
            "<dc:title>{name}</dc:title><dc:creator>Franz Kafka</dc:creator><dc:language>{language}</dc:language>"
        );
        let parts = [("META-INF/container.xml", container), ("content.opf", about.as_str())];
        put_bytes(&target, &format!("books/{name}.epub"), &zip(&parts));
    }
    put(&target, "books/broken.epub", "no book");
    put(
        &target,
        "people.vcf",
        "BEGIN:VCARD\nFN:A\nEMAIL:a@example.org\nEND:VCARD\nBEGIN:VCARD\nFN:B\nTEL:1\nEND:VCARD\n",
    );
    let events: String = (1..=4)
        .map(|day| format!("BEGIN:VEVENT\nDTSTART:2021030{day}T090000Z\nSUMMARY:Dentist\nEND:VEVENT\n"))
        .collect();
    put(&target, "dates.ics", &format!("BEGIN:VCALENDAR\n{events}END:VCALENDAR\n"));
    let cell = "{\"cell_type\": \"code\", \"source\": [\"x\"], \"metadata\": {}, \"execution_count\": 1, \"outputs\": [{\"output_type\": \"error\", \"ename\": \"E\", \"evalue\": \"\", \"traceback\": []}]}";
    put(
        &target,
        "work/look.ipynb",
        &format!("{{\"cells\": [{cell}], \"metadata\": {{}}, \"nbformat\": 4, \"nbformat_minor\": 5}}"),
    );
    for post in 1..=14 {
        let page = format!(
            "<html lang=\"en\"><head><title>Post {post} – Garden</title><meta name=\"generator\" content=\"WordPress 6.1\"></head><body><h1>x</h1></body></html>\n"
        );
        put(&target, &format!("site/post-{post}.html"), &page);
    }
    tells(
        &target,
        &[
            "2 books (EPUB; by Franz Kafka; in German; ‘Amerika’ and ‘Der Prozess’)",
            "`books/broken.epub`: it is called a book and cannot be opened as one",
            "2 contacts",
            "it holds names and addresses of people",
            "4 appointments, 2021-03-01 to 2021-03-04 (most often ‘Dentist’ (4))",
            "1 notebook (IPYNB; `look.ipynb` (1 code cell))",
            "a cell of it ended in an error",
            "14 web pages (of the site ‘Garden’; HTML; made with WordPress 6.1; ‘Post 1’ to ‘Post 14’ (14))",
        ],
        &["No tests", "No licence", "Written in"],
    );
}
