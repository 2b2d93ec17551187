import { Anchor, NativeSelect, Text, Title, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { usePolicyDocuments } from '../../../api/policies/documents';
import type { PolicyDocuments } from '../../../api/policies/policyTypes';
import { formatDate, formatDateTime } from '../../../lib/dates/dates';
import { DocumentList } from '../../../shared/documents/DocumentList';
import { Panel } from '../../../ui/basics/Panel';
import { SectionSkeleton } from '../../../ui/feedback/PageSkeleton';
import { RetryLine } from '../../../ui/feedback/RetryLine';
import { ChevronIcon } from '../../../ui/icons/icons';

interface RevisionChoice {
  value: string;
  label: string;
}

function dateText(date: string): string {
  return date.includes('T') ? formatDateTime(date) : formatDate(date);
}

/**
 * Returns the choices of revisions, newest first. The newest has an empty value, and a label that
 * says whether the revision is in force.
 */
export function revisionChoices(
  revisions: PolicyDocuments['revisions'],
  live: boolean,
): RevisionChoice[] {
  const newest = live ? ' (now in force)' : ' (the last)';
  return Object.entries(revisions)
    .sort(([a], [b]) => Number(b) - Number(a))
    .map(([id, { date_revision }], index) => ({
      value: index === 0 ? '' : id,
      label: `${dateText(date_revision)}${index === 0 ? newest : ''}`,
    }));
}

function External({ links }: { links: PolicyDocuments['external'] }) {
  if (links.length === 0) return null;
  return (
    <>
      <Title order={3} size="md" mt="1.25rem">
        Elsewhere
      </Title>
      <ul className="lines">
        {links.map((link) => (
          <li key={link.url}>
            <Anchor underline="always" href={link.url} target="_blank" rel="noopener noreferrer">
              {link.title}
              <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
            </Anchor>
          </li>
        ))}
      </ul>
    </>
  );
}

function Loaded(props: {
  uuid: string;
  documents: PolicyDocuments;
  revision: string | null;
  loading: boolean;
  live: boolean;
  onRevision: (revision: string | null) => void;
}) {
  const { uuid, documents, revision, loading } = props;
  const choices = revisionChoices(documents.revisions, props.live);
  const groups = documents.documents.filter((group) => group.documents.length > 0);
  return (
    <>
      {choices.length > 1 && (
        <NativeSelect
          mb="md"
          rightSection={<ChevronIcon />}
          label="Documents of"
          description="Every change makes new ones. The earlier ones are kept."
          data={choices}
          value={revision ?? ''}
          onChange={(event) => props.onRevision(event.currentTarget.value || null)}
        />
      )}
      <div aria-busy={loading} data-dimmed={loading || undefined}>
        {groups.length > 0 ? (
          <DocumentList groups={groups} quote={uuid} />
        ) : (
          <Text>There are no documents here yet.</Text>
        )}
      </div>
      <External links={documents.external} />
    </>
  );
}

/**
 * Shows the documents of the newest revision, or of an earlier revision that the customer chooses.
 */
export function DocumentsCard({ uuid, live }: { uuid: string; live: boolean }) {
  const [revision, setRevision] = useState<string | null>(null);
  const read = usePolicyDocuments(uuid, revision);
  const { data: documents, error, isValidating } = read;
  // SWR keeps the data of the previous revision. After a failed read, the page must not show that
  // data for the new revision.
  const failed = error !== undefined && !isValidating;
  return (
    <div id="documents" tabIndex={-1} className="anchor">
      <Panel title="Documents" className="screenOnly">
        {documents && !failed && (
          <Loaded
            uuid={uuid}
            documents={documents}
            revision={revision}
            loading={isValidating}
            live={live}
            onRevision={setRevision}
          />
        )}
        {!documents && !error && <SectionSkeleton label="Loading your documents" height={120} />}
        {error && (failed || !documents) && (
          <RetryLine text="Your documents could not be loaded." read={read} />
        )}
      </Panel>
    </div>
  );
}
