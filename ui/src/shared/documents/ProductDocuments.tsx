import { Anchor, VisuallyHidden } from '@mantine/core';
import { documentPath } from '../../api/policies/documents';

interface NamedDocument {
  identifier: string;
  title: string;
}

/** Returns the fixed link text of a policy wording or an IPID, or null for any other document. */
function kindOf({ identifier }: NamedDocument): string | null {
  if (/wording/i.test(identifier)) return 'View Policy Wording';
  if (/ipid/i.test(identifier)) return 'View IPID';
  return null;
}

/** Returns the policy wording and the IPID among the documents of a policy. */
export function ofProduct<D extends NamedDocument>(documents: D[]): D[] {
  return documents.filter((document) => kindOf(document) !== null);
}

/** Shows links to the documents of a product, which anybody may read. */
export function ProductDocuments({ documents }: { documents: NamedDocument[] }) {
  if (documents.length === 0) return null;
  return (
    <ul className="lines screenOnly">
      {documents.map((document) => (
        <li key={document.identifier}>
          <Anchor
            underline="always"
            href={documentPath(document.identifier)}
            target="_blank"
            rel="noopener noreferrer"
          >
            {kindOf(document) ?? document.title}
            <VisuallyHidden> (PDF, opens in a new tab)</VisuallyHidden>
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
