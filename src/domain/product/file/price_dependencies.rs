//! Finds the fields that the price depends on.

use crate::domain::product::CompiledProduct;
use crate::domain::product::compiled::{FieldRef, StartValue};
use crate::domain::product::tariff::Measure;

/// Returns the names that the website watches to request a new price. They are the rateable fields, and the
/// counts of repeatable datasets that rating reads.
pub(super) fn collect_dependencies(compiled: &CompiledProduct) -> Vec<String> {
    let mut watch = Vec::new();
    for dataset in &compiled.datasets {
        watch.extend(dataset.count_field.clone().filter(|_| dataset.rating));
        for field in dataset.fields.iter().filter(|field| field.rateable) {
            watch.push(if dataset.multi {
                format!("{}.{}", dataset.name, field.name)
            } else {
                field.name.clone()
            });
        }
    }
    watch
}

/// Marks every field that rating reads, also through another field's condition, default or limit.
/// These conditions, defaults and limits use only earlier fields, so one pass from the form's end
/// finds all.
pub(super) fn mark(compiled: &mut CompiledProduct) {
    let mut read: Vec<FieldRef> = Vec::new();
    for step in &compiled.tariff.steps {
        read.extend(step.each.map(FieldRef::Count));
        if let Some(rule) = &step.when {
            rule.each_field(&mut |field_ref| read.push(*field_ref));
        }
    }
    for measure in &compiled.tariff.measures {
        match measure {
            Measure::Years(field_ref) | Measure::Number(field_ref) => read.push(*field_ref),
            Measure::Days(from, to) => read.extend([*from, *to]),
            Measure::Position(dataset) => read.push(FieldRef::Count(*dataset)),
        }
    }
    let mut note = |field_ref: &FieldRef| read.push(*field_ref);
    if let Some(single) = &compiled.term.single {
        single.when.each_field(&mut note);
        note(&single.start);
        note(&single.end);
    }
    note(&compiled.term.start);
    for d in (0..compiled.datasets.len()).rev() {
        let Some(dataset) = compiled.datasets.get_mut(d) else {
            continue;
        };
        for (f, field) in dataset.fields.iter_mut().enumerate().rev() {
            let field_ref = FieldRef::Cell {
                dataset: d,
                field: f,
            };
            field.rating |= read.contains(&field_ref);
            if !field.rating {
                continue;
            }
            dataset.rating = true;
            let mut note = |field_ref: &FieldRef| read.push(*field_ref);
            let rules = field
                .price_default
                .iter()
                .filter_map(|(rule, _)| rule.as_ref());
            for rule in field
                .visible_when
                .iter()
                .chain(rules)
                .chain(field.options.rules.iter().flatten())
            {
                rule.each_field(&mut note);
            }
            let starts = field
                .price_default
                .iter()
                .map(|(_, start)| start)
                .chain(&field.default);
            let dated = starts.filter_map(|start| match start {
                StartValue::Date(limit) => limit.from,
                StartValue::Value(_) => None,
            });
            read.extend(dated);
            let limits = [field.min_date, field.max_date, field.computed];
            read.extend(limits.into_iter().flatten().filter_map(|limit| limit.from));
        }
        let counted = read.contains(&FieldRef::Count(d));
        dataset.rating |= counted;
        if dataset.rating
            && let Some(rule) = &dataset.visible_when
        {
            rule.each_field(&mut |field_ref| read.push(*field_ref));
        }
    }
}
