import type { OpenGap } from '../../../api/types';
import { Panel } from '../../../ui/basics/Panel';
import { PhoneDisclosure } from '../../../ui/basics/PhoneDisclosure';

/** What the cover of a policy excludes, and the alternative. */
export function OpenGaps({ gaps }: { gaps: OpenGap[] }) {
  if (gaps.length === 0) return null;
  return (
    <Panel title="What your cover does not do">
      <ul className="rows">
        {gaps.map((gap) => (
          <li key={gap.id}>
            <PhoneDisclosure title={gap.title}>
              {() => (
                <>
                  <p>{gap.text}</p>
                  <p>
                    <strong>What to do: </strong>
                    {gap.instead}
                  </p>
                  <p className="hint">
                    {gap.matters && 'You said that this matters to you. '}
                    It is in your policy wording under “{gap.section}”.
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
