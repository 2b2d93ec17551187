import type { OpenExclusion } from '../../../api/types';
import { Panel } from '../../../ui/basics/Panel';
import { PhoneDisclosure } from '../../../ui/basics/PhoneDisclosure';

/** Shows what the policy does not cover, and what to do instead. */
export function OpenExclusions({ exclusions }: { exclusions: OpenExclusion[] }) {
  if (exclusions.length === 0) return null;
  return (
    <Panel title="What your cover does not do">
      <ul className="rows">
        {exclusions.map((exclusion) => (
          <li key={exclusion.id}>
            <PhoneDisclosure title={exclusion.title}>
              {() => (
                <>
                  <p>{exclusion.text}</p>
                  <p>
                    <strong>What to do: </strong>
                    {exclusion.instead}
                  </p>
                  <p className="hint">
                    {exclusion.matters && 'You said that this matters to you. '}
                    It is in your policy wording under “{exclusion.section}”.
                  </p>
                </>
              )}
            </PhoneDisclosure>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
