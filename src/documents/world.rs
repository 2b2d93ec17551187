//! The typesetter's environment: the templates, the data and the fonts. The environment has no
//! network and no clock. It reads nothing from the disk except the folder of overrides.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{DiagSpan, DiagSpanKind, FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World, WorldExt};

use super::template::{DocumentTemplate, LOOK};

/// The built-in fonts.
const FONTS: [&[u8]; 2] = [
    include_bytes!("fonts/Inter-Regular.otf"),
    include_bytes!("fonts/Inter-SemiBold.otf"),
];
/// The name of the file from which a template reads its data.
const DATA: &str = "data.json";

/// The built-in templates, parsed once.
struct BuiltInTemplates(HashMap<FileId, Source>);

impl BuiltInTemplates {
    fn new() -> Self {
        let templates = DocumentTemplate::ALL.into_iter();
        let templates = templates.map(|template| (template.file(), template.built_in()));
        let sources = templates.chain([LOOK]).filter_map(|(name, text)| {
            let id = file_id(name)?;
            Some((id, Source::new(id, text.to_string())))
        });
        Self(sources.collect())
    }
}

/// The resources of every rendering: fonts, the typesetter's library, the built-in templates, and the
/// folder with their overrides.
pub(super) struct Resources {
    pub(super) overrides: Option<PathBuf>,
    pub(super) fonts: Vec<Font>,
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    built_in: BuiltInTemplates,
}

impl Resources {
    pub(super) fn new(overrides: Option<PathBuf>) -> Self {
        let own = overrides.as_deref().map_or_else(Vec::new, fonts_in);
        let built_in = FONTS.into_iter().map(Bytes::new);
        let fonts: Vec<Font> = built_in.chain(own).flat_map(Font::iter).collect();
        Self {
            overrides,
            library: LazyHash::new(Library::default()),
            book: LazyHash::new(FontBook::from_fonts(&fonts)),
            fonts,
            built_in: BuiltInTemplates::new(),
        }
    }
}

/// The environment of one rendering.
pub(super) struct TypstWorld<'a> {
    resources: &'a Resources,
    main: Option<FileId>,
    data_id: Option<FileId>,
    data: Bytes,
    /// Overrides as this rendering first read them. A later change of a file does not affect the
    /// rendering.
    read: Mutex<HashMap<FileId, Option<Bytes>>>,
}

impl<'a> TypstWorld<'a> {
    pub(super) fn new(resources: &'a Resources, template: DocumentTemplate, data: String) -> Self {
        Self {
            resources,
            main: file_id(template.file()),
            data_id: file_id(DATA),
            data: Bytes::from_string(data),
            read: Mutex::default(),
        }
    }

    /// Returns the file and line of a mistake, or `None` if the position is unknown.
    pub(super) fn locate(&self, span: DiagSpan) -> Option<(String, usize)> {
        let id = match span.get() {
            DiagSpanKind::Detached => return None,
            DiagSpanKind::Number { id, .. } | DiagSpanKind::Range { id, .. } => id,
        };
        let name = id.get().vpath().get_without_slash().to_string();
        let range = self.range(span)?;
        let source = self.source(id).ok()?;
        let line = source.lines().byte_to_line(range.start)?;
        Some((name, line + 1))
    }

    /// Returns the first mistake of syntax in a template, with its line.
    pub(super) fn syntax_error(&self, name: &str) -> Option<(usize, String)> {
        let source = match self.source(file_id(name)?) {
            Ok(source) => source,
            Err(error) => return Some((1, error.to_string())),
        };
        let (errors, _) = source.root().errors_and_warnings();
        let error = errors.first()?;
        let place = self.locate(error.span);
        Some((place.map_or(1, |(_, line)| line), error.message.to_string()))
    }

    fn overridden(&self, id: FileId) -> Option<Bytes> {
        let folder = self.resources.overrides.as_deref()?;
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let load = || {
            let path = id.get().vpath().realize(folder).ok()?;
            std::fs::read(path).ok().map(Bytes::new)
        };
        read.entry(id).or_insert_with(load).clone()
    }

    fn not_found(id: FileId) -> FileError {
        FileError::NotFound(id.get().vpath().get_without_slash().into())
    }
}

impl World for TypstWorld<'_> {
    fn library(&self) -> &LazyHash<Library> {
        &self.resources.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.resources.book
    }

    fn main(&self) -> FileId {
        // The names of all templates are valid paths, so each template has an id.
        self.main.unwrap_or_else(|| Source::detached("").id())
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if let Some(text) = self.overridden(id) {
            let text = text.as_str().map_err(|_| FileError::InvalidUtf8)?;
            return Ok(Source::new(id, text.to_string()));
        }
        let built_in = self.resources.built_in.0.get(&id);
        built_in.cloned().ok_or_else(|| Self::not_found(id))
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        if Some(id) == self.data_id {
            return Ok(self.data.clone());
        }
        self.overridden(id).ok_or_else(|| Self::not_found(id))
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.resources.fonts.get(index).cloned()
    }

    /// Returns `None`. A document's date is in its data, so that the document renders equally on
    /// any day.
    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

fn file_id(name: &str) -> Option<FileId> {
    let path = VirtualPath::new(name).ok()?;
    Some(RootedPath::new(VirtualRoot::Project, path).intern())
}

fn fonts_in(folder: &Path) -> Vec<Bytes> {
    let Ok(files) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|end| end == "otf" || end == "ttf")
    });
    paths.sort();
    paths
        .iter()
        .filter_map(|path| std::fs::read(path).ok())
        .map(Bytes::new)
        .collect()
}
