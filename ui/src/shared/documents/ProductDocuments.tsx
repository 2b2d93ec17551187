import { Anchor, VisuallyHidden } from '@mantine/core';
import { documentPath } from '../../api/policies/documents';

interface NamedDocument {
  identifier: string;
  title: string;
}

/** Returns the fixed link text of the two kinds of documents that every product has. */
function kindOf({ identifier }: NamedDocument): string | null {
  if (/wording/i.test(identifier)) return 'View Policy Wording';
  if (/ipid/i.test(identifier)) return 'View IPID';
  return null;
}

/** Returns the product's documents among a policy's, in the version that was sold. */
export function ofProduct<D extends NamedDocument>(documents: D[]): D[] {
  return documents.filter((document) => kindOf(document) !== null);
}

/** Links to the documents of a product, which anybody may read. */
export function ProductDocuments({ documents }: { documents: NamedDocument[] }) {
  if (documents.length === 0) return null;
  return (
    <ul className="lines">
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
