import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useQuoteDocuments } from '../../../api/policies/documents';
import type { QuoteRead } from '../../../api/types';
import { padInstances } from '../../../form/answers/restoreAnswers';
import { answersFrom } from '../../../form/answers/serialize';
import { evaluate, type FormState } from '../../../form/conditions/visibility';
import { needsOf } from '../../../form/review/summary';
import type { Form, ProductInfo } from '../../../form/types';
import { DocumentList } from '../../../shared/documents/DocumentList';
import { SectionSkeleton } from '../../../ui/feedback/PageSkeleton';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import classes from './Statement.module.css';

interface Props {
  quote: QuoteRead;
  form: Form;
  info: ProductInfo;
  /** The present answers, saved or not. */
  state: FormState;
}

/**
 * Shows the demands and needs document of a saved quote, to read before paying. If unsaved answers
 * change the document's text, shows a note instead.
 */
export function Statement(props: Props) {
  const { quote, form, info, state } = props;
  const saved = useMemo(
    () => evaluate(form, padInstances(form, answersFrom(quote.values, quote.multi))),
    [form, quote],
  );
  if (!quote.info.price) return null;
  const needsText = (answers: FormState) => needsOf(info.needs, form, answers).join('\n');
  return (
    <div className={classes.statement}>
      {needsText(saved) === needsText(state) ? (
        <Saved quote={quote} info={info} />
      ) : (
        <Text mt="sm">Your statement is made anew as a document once your changes are saved.</Text>
      )}
    </div>
  );
}

function Saved({ quote, info }: Pick<Props, 'quote' | 'info'>) {
  const { uuid, revision_id } = quote.info;
  const read = useQuoteDocuments(uuid, revision_id);
  const { data, error } = read;
  if (!data && error) {
    return <RetryLine text="Your statement could not be loaded as a document." read={read} />;
  }
  if (!data) return <SectionSkeleton label="Loading your statement" height={56} />;
  // The summary already shows the product's documents.
  const productDocuments = new Set(info.documents.map(({ identifier }) => identifier));
  const quoteDocuments = data.filter(({ identifier }) => !productDocuments.has(identifier));
  return <DocumentList brief groups={[{ title: '', documents: quoteDocuments }]} quote={uuid} />;
}
