//! Extensions, in lower case. One list for each kind of directory they come from.

use luminos_core::scan::Category::{self, Archive, Config, Data, Document, Media, Source};

pub(super) const EXTENSIONS: &[(Category, &str)] = &[
    // Programs. Pages, style sheets, queries and notebooks are programs too: people write their logic there.
    (Source, "c h cc cpp cxx c++ hh hpp hxx h++ ipp inl tcc tpp ino pde cu cuh hip cl ixx cppm"),
    (Source, "m mm swift metal rs go zig nim nims d di v vv vala vapi odin jai hare ha c3 carbon"),
    (Source, "java kt kts scala sc groovy gvy clj cljs cljc cljd bb jsp jspx jspf aj bsh ceylon xtend"),
    (
        Source,
        "cs csx vb vbs vba bas cls frm fs fsi fsx fsscript cshtml vbhtml razor xaml aspx ascx ashx asmx
         asax",
    ),
    (Source, "py pyw pyi pyx pxd pxi py3 rpy sage ipynb pyde mojo"),
    (
        Source,
        "js mjs cjs jsx ts mts cts tsx es es6 jsm coffee litcoffee iced vue svelte astro marko riot res
         resi",
    ),
    (Source, "html htm xhtml xht shtml css scss sass less styl stylus pcss postcss wxml wxss"),
    (Source, "php php3 php4 php5 php7 phtml phps inc blade twig latte smarty"),
    (Source, "rb rbw rbi rbs erb rake jbuilder haml slim liquid thor ru cr ecr"),
    (Source, "pl pm t xs ph raku rakumod rakutest p6 pm6 pl6"),
    (
        Source,
        "sh bash zsh ksh csh tcsh fish ash dash nu elv xsh bat cmd btm ps1 psm1 ps1xml command ebuild
         eclass",
    ),
    (Source, "lua luau moon tl fnl nse tcl tk itcl exp awk gawk sed"),
    (Source, "hs lhs hsc hs-boot chs elm purs idr lidr agda lagda lean ml mli mll mly re rei eliom"),
    (Source, "sml fun thy coq erl hrl escript xrl yrl ex exs eex leex heex gleam lfe"),
    (Source, "lisp lsp el asd scm ss rkt rktl rktd scrbl sld sls hy janet jl r rnw stan bugs jags"),
    (Source, "f for ftn f77 f90 f95 f03 f08 fpp cob cbl cpy pco pas pp dpr lpr dfm lfm ada adb ads gpr"),
    (Source, "asm s nasm a51 ll mir wat wast td"),
    (Source, "sql psql plsql pks pkb ddl dml hql cql cypher prql sparql rq kql xq xquery xql xsl xslt"),
    (Source, "vhd vhdl sv svh vlog bsv chisel sdc xdc ucf qsf pio dts dtsi overlay"),
    (Source, "glsl vert frag geom comp tesc tese hlsl fx fxh cginc wgsl shader gdshader usf ush osl msl"),
    (Source, "gd gml nut as mxml hx hxml ahk au3 applescript jxa lsl sp sma pwn qml mqh mq4 mq5 pine"),
    (Source, "pro prolog plt p ecl clp oz mercury abap apl dyalog aplf j ijs bqn forth fth 4th factor"),
    (Source, "gms mos mzn dzn ampl sas ado mata spss sps ox eviews wl wls nb mathematica maple mpl"),
    (Source, "scad jscad ily lytex ck scd csd pd maxpat dsp faust alda"),
    (Source, "y yy l lex g4 g ebnf bnf peg pest jjt lark rl re2c ragel ungram antlr lalrpop"),
    (Source, "proto thrift fbs capnp avdl graphql gql graphqls idl webidl smithy tsp wit asn asn1"),
    (Source, "sol vy yul cairo rell scilla clar circom noir"),
    (Source, "m4 rego"),
    (Source, "vim nvim kak ember hbs handlebars mustache ejs jade pug njk jinja jinja2 ftl vm gotmpl gohtml"),
    (Source, "feature robot bats tla als dfy fst fsti why mlw smt2 btor pml promela"),
    (Source, "epp kcl ql qll rex rexx nsi nsh iss wxs wxi nsis"),
    (Source, "dart ballerina bal p4 ligo mligo jsligo"),
    // Settings, manifests, build descriptions.
    (
        Config,
        "json json5 jsonc hjson yaml yml toml ini cfg conf cnf config properties props env editorconfig",
    ),
    (
        Config,
        "plist entitlements xcconfig pbxproj xcscheme xcworkspacedata storyboard xib xcprivacy modulemap",
    ),
    (Config, "csproj vbproj fsproj vcxproj vcproj sqlproj wixproj shproj proj targets sln slnx slnf nuspec"),
    (Config, "resx manifest rc dsw vdproj ruleset runsettings suo appxmanifest pubxml"),
    (Config, "gradle sbt cabal gemspec podspec rockspec opam nimble dub pri prf qrc qbs vcxitems"),
    (Config, "lock lockb pc la spec dsc service"),
    (Config, "desktop theme hcl tfvars tfstate nomad ron kdl reg inf admx adml gpo rules"),
    (Config, "iml ipr iws classpath prefs eclipse code-workspace sublime-project sublime-settings"),
    (Config, "tmlanguage tmtheme tmpreferences sublime-syntax keymap keylayout itermcolors"),
    (
        Config,
        "npmrc yarnrc nvmrc babelrc eslintrc prettierrc stylelintrc browserslistrc gitignore
         gitattributes",
    ),
    (Config, "dockerfile containerfile makefile vagrantfile jenkinsfile procfile gitmodules mailmap"),
    (Config, "htaccess htpasswd vhost hosts crontab cron logrotate ovpn mobileconfig webmanifest"),
    (Config, "kicad_pro kicad_dru ioc uvprojx uvproj ewp eww ld lds scf icf defconfig kconfig pylintrc"),
    (
        Config,
        "mk mak make cmake ninja ac am bzl bazel star starlark gn gni bp nix jsonnet libsonnet dhall tf
         bicep",
    ),
    (Config, "target socket timer mount slice settings filters"),
    // Tables, records, databases: what programs read and write.
    (
        Data,
        "csv tsv tab psv dsv ssv jsonl ndjson jsonlines geojson topojson jsonld ldjson mmdb mpack swp
         har xml xsd dtd rng rnc rdf owl ttl nt nq n3 trig",
    ),
    (
        Data,
        "parquet feather arrow orc avro ipc npy npz pkl pickle joblib h5 hdf5 hdf hdf4 he5 nc nc4 cdf
         netcdf zarr mat fits fit",
    ),
    (Data, "sqlite sqlite3 db db3 s3db sl3 sqlitedb mdb accdb dbf myd myi ibd ldf mdf ndf fdb gdb kdbx kdb"),
    (
        Data,
        "rds rda rdata sav por zsav dta sas7bdat xpt jmp wf1 gdx tfrecord tfrecords recordio msgpack
         bson cbor ubj",
    ),
    (
        Data,
        "log out trace prof pprof perf gcov gcda gcno lcov dmp mdmp stackdump hprof jfr etl evtx evt
         pcap pcapng cap snoop",
    ),
    (
        Data,
        "onnx pb pbtxt prototxt caffemodel pt pth ckpt safetensors gguf ggml tflite mlmodel weights
         keras",
    ),
    (
        Data,
        "shp shx prj sbn sbx cpg qpj gpx kml kmz osm pbf osc mbtiles gpkg geotiff e00 grd adf las laz
         e57 xyz pts pcd",
    ),
    (
        Data,
        "fasta fa fna faa ffn fas fastq fq sam bam bai cram vcf bcf bed gff gff3 gtf gb gbk embl pdb cif
         mmcif mol mol2 sdf smi phy nwk",
    ),
    (Data, "dat data idx map snap dump"),
    (Data, "po pot xlf xliff tmx strings stringsdict arb resjson"),
    (
        Data,
        "diff patch rej md5 sha1 sha256 sha512 sha crc sfv sums sig asc gpg pgp pem crt cer der p7b p7c
         p7s p8 p10 p12 pfx",
    ),
    (Data, "csr crl key pub ppk jks keystore bks torrent metalink magnet url webloc lnk ics ical vcard ldif"),
    (Data, "ovf vmx vmxf nvram rdp wpl xspf m3u m3u8 pls cue edl fcpxml aaf otio"),
    (
        Data,
        "pgn sgf fen wad pak pk3 pk4 vpk bsp vmf asset prefab meta uasset umap upk u gcf ba2 bsa esp esm
         nbt mca schematic",
    ),
    (Data, "ledger journal beancount qif ofx qfx ofc mt940 gnc gnucash tax x12 edi hl7 xbrl"),
    (Data, "hex ihex srec mot eep s19 s28 s37 uf2 lvm tdms wdb saleae vcd ghw vpd"),
    // Text for people.
    (
        Document,
        "md markdown mdown mkd mkdn mdx rmd qmd rst rest txt text textile adoc asciidoc org wiki
         mediawiki creole pod rdoc",
    ),
    (
        Document,
        "tex ltx latex sty bib bst dtx ins texi texinfo txi lyx typ man mdoc roff troff nroff groff info",
    ),
    (
        Document,
        "pdf ps djvu djv dvi xps oxps doc docx docm dot dotx dotm rtf odt ott fodt sxw pages wpd wps wp5
         lwp abw hwp hwpx",
    ),
    (Document, "xls xlsx xlsm xlsb xlt xltx xltm ods ots fods sxc numbers wk1 wk3 wk4 gnumeric"),
    (Document, "ppt pptx pptm pps ppsx potx potm odp otp fodp sxi keynote"),
    (Document, "epub mobi azw azw3 azw4 kf8 fb2 lit chm hlp lrf ibooks cbz cbr cb7 cbt"),
    (
        Document,
        "vsd vsdx vsdm one onetoc2 mpx xmind mmap opml odf odg otg fodg drawio dia gliffy puml plantuml
         mmd gv",
    ),
    (Document, "eml emlx msg mbox mbx pst ost nws srt sub vtt ass ssa sbv lrc ttml"),
    (Document, "1st nfo diz ans readme license licence changelog authors copying news todo faq"),
    // Images, sound, video, fonts, models: what is seen and heard.
    (
        Media,
        "png apng jpg jpeg jpe jfif gif bmp dib webp tif tiff ico cur ani icns svg svgz psd psb xcf kra
         ora ai eps cdr sketch",
    ),
    (
        Media,
        "heic heif avif jxl jp2 j2k jpf jpx jpm hdr exr pct pict pcx tga dds ktx ktx2 pvr astc basis pbm
         pgm ppm pnm pam xbm xpm xwd",
    ),
    (
        Media,
        "cr2 cr3 crw nef nrw arw srf sr2 orf rw2 raf pef dng dcr kdc mrw x3f 3fr erf mef iiq wmf emf
         wbmp qoi flif bpg",
    ),
    (
        Media,
        "mp3 wav wave flac ogg oga opus m4a m4b m4p aac ac3 eac3 aif aiff aifc au snd wma ra ram amr ape
         wv mka mpc tta dsf dff caf",
    ),
    (
        Media,
        "mid midi kar xm it s3m mtm umx gbs spc vgm sf2 sf3 sfz dls rmi ly musicxml mxl mscz mscx gp gp5
         flp ptx cpr logicx aup aup3",
    ),
    (
        Media,
        "mp4 m4v mov qt avi mkv webm wmv asf flv f4v mpg mpeg mpe m1v m2v mp2 vob m2ts 3gp 3g2 ogv ogm
         rm rmvb divx mxf y4m ivf dv",
    ),
    (Media, "prproj aep veg kdenlive mlt blend1 drp"),
    (Media, "ttf otf ttc otc woff woff2 eot pfb pfa pfm afm bdf pcf psf fon fnt sfd glyphs ufo vfb dfont"),
    (
        Media,
        "obj mtl stl ply fbx glb gltf dae 3ds max ma mb blend c4d lwo lws x3d wrl vrml usd usda usdc
         usdz abc vox off 3mf amf",
    ),
    (
        Media,
        "dwg dxf dwf dgn step stp iges igs sat sldprt sldasm slddrw ipt iam idw catpart catproduct prt
         f3d skp 3dm rvt rfa ifc",
    ),
    (
        Media,
        "kicad_pcb kicad_sch kicad_mod kicad_sym sch brd lbr pcbdoc schdoc gbr ger gtl gbl gts drl xln
         gcode ngc",
    ),
    (Media, "dcm dicom nii mha mhd nrrd minc czi lif nd2 svs ndpi cine"),
    (Media, "xcursor icc icm aco pal swatch lut 3dl"),
    (Media, "x_t x_b"),
    // Packed or compiled files.
    (
        Archive,
        "zip tar gz tgz bz2 tbz tbz2 xz txz lzma tlz lz lz4 zst tzst zstd br z lzo lzh lha 7z rar r00
         r01 arj ace cab cpio shar",
    ),
    (Archive, "ar pax xar wim swm esd sit sitx sea hqx arc zoo zpaq paq8 uue b64 sz rz lrz"),
    (
        Archive,
        "jar war ear aar jmod sar par whl egg gem nupkg snupkg crate phar vsix xpi crx oxt mcpack apk
         apks xapk aab ipa",
    ),
    (
        Archive,
        "deb udeb rpm srpm drpm pkg mpkg flatpak flatpakref appimage msi msix msixbundle appx appxbundle
         msp msu",
    ),
    (
        Archive,
        "dmg iso img ima vfd toast nrg mds ccd vhdx vdi vmdk qcow qcow2 qed hdd ova box squashfs sfs
         cramfs romfs jffs2 ubi ubifs",
    ),
    (Archive, "exe dll sys ocx cpl scr drv efi mui so dylib bundle o a lib ko elf axf prx sprx nro dol"),
    (
        Archive,
        "class dex odex oat vdex pyc pyo pyd elc beam hi dyn_hi chi cmi cmo cma cmx cmxa cmxs cmt cmti
         rlib rmeta luac wasm bc swiftmodule swiftdoc",
    ),
    (
        Archive,
        "gch pch ilk idb ncb ipch tlb netmodule winmd nexe swf swc fasl fasb pack unitypackage nes smc
         sfc gba gbc nds n64 z64 v64 rom cia xci nsp",
    ),
    (Archive, "syso mo gmo qm nib car storyboardc nbc tbc dtb dtbo fw ubin rev bitmap midx"),
];
