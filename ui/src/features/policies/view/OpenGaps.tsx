import type { OpenGap } from '../../../api/types';
import { Fold } from '../../../components/basics/Fold';
import { Panel } from '../../../components/basics/Panel';

/** What the cover of a policy does not do, and what to do instead. */
export function OpenGaps({ gaps }: { gaps: OpenGap[] }) {
  if (gaps.length === 0) return null;
  return (
    <Panel title="What your cover does not do">
      <ul className="rows">
        {gaps.map((gap) => (
          <li key={gap.id}>
            <Fold title={gap.title}>
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
            </Fold>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
