import { Badge, Button, Text, Title, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { ApiError } from '../../api/client';
import { reasonOf } from '../../api/failure';
import { documentPath, fetchDocument } from '../../api/policies/documents';
import type { DocumentGroup, PolicyDocument } from '../../api/policies/policyTypes';
import { formatDate } from '../../lib/dates/dates';
import { showSnackbar } from '../../lib/messages/snackbar';
import { tokenFor } from '../../lib/storage/tokens';
import { DocumentIcon } from '../../ui/icons/icons';
import classes from './Documents.module.css';
import { useReadiness } from './useReadiness';

interface Props {
  groups: DocumentGroup[];
  /**
   * The uuid of the quote or policy. A visitor without an account opens the documents with its
   * token.
   */
  quote: string;
  /** Whether to hide the note on pending documents. Screen readers still read the note. */
  brief?: boolean;
}

const REVOKE_AFTER_MS = 60_000;

const PENDING_NOTE = 'We are making the rest. They appear here by themselves.';

/**
 * Fetches a document with the quote's token, and saves the file. If the call fails, shows the
 * reason in the snackbar.
 */
async function save(identifier: string, quote: string): Promise<void> {
  try {
    const file = await fetchDocument(identifier, quote);
    const address = URL.createObjectURL(file);
    const link = document.createElement('a');
    link.href = address;
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showSnackbar(reasonOf(error));
  }
}

/**
 * Shows a link to a document. A visitor with a token gets a button, because the server refuses the
 * plain address without a token. A product's document has no date and needs no token, so everybody
 * gets a link.
 */
function Opener({ document, quote }: { document: PolicyDocument; quote: string }) {
  const { identifier, title, date } = document;
  if (date !== null && tokenFor(quote) !== null) {
    return (
      <button type="button" onClick={() => void save(identifier, quote)}>
        {title}
        <VisuallyHidden> (PDF, downloads)</VisuallyHidden>
      </button>
    );
  }
  return (
    <a href={documentPath(identifier)} target="_blank" rel="noopener noreferrer">
      {title}
      <VisuallyHidden> (PDF, opens in a new tab)</VisuallyHidden>
    </a>
  );
}

function Item({
  document,
  quote,
  ready,
}: {
  document: PolicyDocument;
  quote: string;
  ready: boolean;
}) {
  return (
    <li className={`iconLine ${classes.item}`}>
      <DocumentIcon />
      <span className={classes.name}>
        {ready ? <Opener document={document} quote={quote} /> : document.title}
        {document.date && (
          <Text span display="block" className="hint tabular">
            {formatDate(document.date)}
          </Text>
        )}
      </span>
      {!ready && (
        <Badge size="lg" tt="none" fw={600} color="amber.1" c="amber.9">
          Being made
        </Badge>
      )}
    </li>
  );
}

/** Shows documents in their groups. A pending document gets its link or button when it is ready. */
export function DocumentList({ groups, quote, brief = false }: Props) {
  const heading = useId();
  const all = groups.flatMap((group) => group.documents);
  const { isReady, waiting: isPending, failed, again: retry } = useReadiness(all, quote);
  const readyCount = all.filter((document) => isReady(document)).length;
  return (
    <>
      {groups.map((group, index) => (
        <div key={group.title} className={classes.group}>
          {group.title && (
            <Title order={3} id={`${heading}-${index}`} mb="0.25rem" className="hint">
              {group.title}
            </Title>
          )}
          <ul className="rows" aria-labelledby={group.title ? `${heading}-${index}` : undefined}>
            {group.documents.map((document) => (
              <Item
                key={document.identifier}
                document={document}
                quote={quote}
                ready={isReady(document)}
              />
            ))}
          </ul>
        </div>
      ))}
      <div role="status" className={brief && !failed ? undefined : `hint ${classes.status}`}>
        {isPending &&
          !failed &&
          (brief ? <VisuallyHidden>{PENDING_NOTE}</VisuallyHidden> : PENDING_NOTE)}
        {isPending && failed && "We couldn't find out how far your documents are."}
        {!isPending && readyCount > 0 && (
          <VisuallyHidden>All documents are ready to open.</VisuallyHidden>
        )}
      </div>
      {isPending && failed && (
        <Button variant="default" size="sm" onClick={retry}>
          Check again
        </Button>
      )}
    </>
  );
}
