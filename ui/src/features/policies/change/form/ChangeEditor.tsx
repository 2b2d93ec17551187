import { Alert, Button, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { PolicyPlan, PolicyRead, PolicyTerm } from '../../../../api/policies/policyTypes';
import type { Profile } from '../../../../api/types';
import { DatasetCard } from '../../../../form/cards/DatasetCard';
import { cardKeys } from '../../../../form/cards/useOpenCards';
import { itemText } from '../../../../form/review/reviewGroups';
import { controlId, FormProvider } from '../../../../form/state/FormContext';
import type { Dataset, ProductInfo } from '../../../../form/types';
import { ErrorSummary } from '../../../../form/validation/ErrorSummary';
import { focusPathSoon } from '../../../../form/validation/focusPath';
import { formatDate, formatLongDate, todayInLondon, toIsoDate } from '../../../../lib/dates/dates';
import { formatMoney } from '../../../../lib/format/money';
import { paths } from '../../../../lib/routes/paths';
import { useDocumentTitle, useFaultInTitle } from '../../../../lib/routes/title';
import { Price } from '../../../../shared/money/Price';
import { AppLink } from '../../../../ui/basics/AppLink';
import { Panel } from '../../../../ui/basics/Panel';
import { BackIcon } from '../../../../ui/icons/icons';
import { ActionError } from '../../ActionError';
import { DayChoice } from '../../DayChoice';
import { ChangeButtons, ChangeStrip } from '../ChangeLayout';
import { LevelPrice } from '../price/LevelPrice';
import { LivePrice } from '../price/LivePrice';
import { TaskIntro } from '../tasks/TaskIntro';
import { fieldsForTask, levelOf, type Task } from '../tasks/tasks';
import classes from './ChangeEditor.module.css';
import { type ChangeFormState, DAY } from './useChange';

interface Props {
  change: ChangeFormState;
  read: PolicyRead;
  policy: PolicyTerm;
  info: ProductInfo;
  /** The task that limits the form. Without a task, the page shows the whole form. */
  task?: Task;
  /** The address that a move begins with. */
  newAddress?: Profile | null;
  onShowAll: () => void;
}

const SAVED_IMMEDIATELY =
  'What has no price, such as a telephone number, is saved when you confirm it, unless you choose a later day below first.';

/** The name from which the id of the button for the new price is made. */
const PRICE_CARD = 'new_price';

function Strip({ change }: { change: ChangeFormState }) {
  const { dirty, busy, cards, start } = change;
  const editing = cards.anyOpen || dirty;
  const update = () => {
    if (!editing) cards.setAll(true);
    else if (dirty) void change.save();
    else cards.setAll(false);
  };
  return (
    <ChangeStrip>
      <p>
        {editing
          ? 'Change what you need. You see the new price before anything is agreed.'
          : 'This is what we have for you. Nothing changes until you agree to it.'}
        {editing && start.days && !start.wish.isLater && ` ${SAVED_IMMEDIATELY}`}
      </p>
      <Button
        size="sm"
        variant={editing ? 'filled' : 'default'}
        disabled={busy !== null}
        onClick={update}
      >
        {busy === 'save' ? 'Please wait...' : editing ? 'Save Changes' : 'Update my details'}
      </Button>
    </ChangeStrip>
  );
}

/** Returns the text of an item that is as the policy has it. Returns null for another item. */
function unchangedLine({ api, before }: ChangeFormState, dataset: Dataset, index: number) {
  const { identifier } = dataset;
  const item = api.state.multi[identifier]?.[index];
  const earlier = before.multi[identifier]?.[index];
  if (!item || !earlier) return null;
  const isSame = dataset.fields.every(
    ({ name }) => (item[name] ?? null) === (earlier[name] ?? null),
  );
  return isSame ? itemText(dataset, index, api.state) : null;
}

function Cards({ change, task }: { change: ChangeFormState; task?: Task }) {
  const { api, cards, start } = change;
  const toggle = (key: string, open: boolean) => {
    if (open) cards.setOpen(key, true);
    else void change.confirmCard(key);
  };
  const shown = fieldsForTask(api.form, task).filter(
    (dataset) => api.state.datasets[dataset.identifier]?.visible,
  );
  const continueFrom = (dataset: Dataset) => {
    const following = shown[shown.indexOf(dataset) + 1];
    // After the last card comes the day of the change. Without a choice of days, the button for the
    // price comes next.
    const next = following?.identifier ?? (start.days ? DAY : PRICE_CARD);
    if (cardKeys(dataset, api.state).every(change.closeCard)) focusPathSoon(next);
  };
  return shown.map((dataset) => (
    <DatasetCard
      key={dataset.identifier}
      dataset={dataset}
      cards={cards}
      lineOf={(index) => (task?.dataset ? unchangedLine(change, dataset, index) : null)}
      onToggle={toggle}
      onContinue={task ? undefined : () => continueFrom(dataset)}
    />
  ));
}

/** Asks for the first day of the change, if the customer can choose one. */
function StartDay({ change, policy }: { change: ChangeFormState; policy: PolicyTerm }) {
  const { days, wish: choice, error, choose, leave } = change.start;
  if (!days) return null;
  const first = policy.change_days?.first ?? policy.inception;
  const hasBegun = policy.inception < first || first <= toIsoDate(todayInLondon());
  return (
    <Panel>
      <DayChoice
        id={controlId(DAY)}
        question="When should this change start?"
        prominent
        now={
          hasBegun
            ? { label: 'Today', description: 'As soon as it is agreed' }
            : { label: 'With the first day of cover', description: formatLongDate(first) }
        }
        laterAnswer={{ label: 'A later day', description: 'Until then your cover stays as it is' }}
        label="First day of the change"
        days={days}
        choice={choice}
        error={error}
        onChange={choose}
        onLeave={leave}
      />
    </Panel>
  );
}

/** Tells that a change with a new price waits for a monthly payment. */
function PaymentDue({
  uuid,
  plan,
  currency,
}: {
  uuid: string;
  plan: PolicyPlan;
  currency?: string;
}) {
  return (
    <ChangeStrip>
      <p>
        {formatMoney(plan.due, currency)} of your monthly payments is due. Please pay it before you
        change what your cover costs.
      </p>
      <Button component={AppLink} to={paths.policyView(uuid, 'payments')} size="sm">
        Pay now
      </Button>
    </ChangeStrip>
  );
}

/** Shows the form with a policy's answers, to read and to change. */
export function ChangeEditor({ change, read, policy, info, task, newAddress, onShowAll }: Props) {
  const { info: quote } = read;
  const { failure } = change;
  const heading = useRef<HTMLHeadingElement>(null);
  const { form, state } = change.api;
  const levelField = levelOf(form, state);
  const title = task?.label ?? 'Change your cover';
  useDocumentTitle(title);
  useFaultInTitle(change.errorMessage !== null);

  // After the return from the price, the focused element no longer exists, so the heading gets the
  // focus.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);

  return (
    <FormProvider
      value={{
        ...change.api,
        optionPrice: (field, option) =>
          field === levelField && (
            <LevelPrice
              change={change}
              policy={quote.uuid}
              field={field}
              option={option}
              price={quote.price}
            />
          ),
      }}
    >
      <AppLink to={paths.policyView(quote.uuid)} className="touchTarget back">
        <BackIcon /> Back to your policy
      </AppLink>
      <Title order={1} ref={heading} tabIndex={-1} mb="lg">
        {title}
      </Title>
      <div className={classes.columns}>
        <form
          noValidate
          className={classes.main}
          inert={change.busy !== null}
          onSubmit={(event) => {
            event.preventDefault();
            void change.save();
          }}
        >
          {policy.plan && policy.plan.due > 0 && (
            <PaymentDue uuid={quote.uuid} plan={policy.plan} currency={quote.price?.currency} />
          )}
          <ErrorSummary errors={change.listed} />
          {change.errorMessage && change.listed.length === 0 && (
            <Alert color="red" role="alert" title="Your details were not saved">
              {change.errorMessage}
            </Alert>
          )}
          {failure !== null && change.listed.length === 0 && (
            <ActionError
              title="Your cover was not changed"
              failure={failure}
              policy={quote.uuid}
              onReload={change.reload}
            />
          )}
          {task ? (
            <TaskIntro
              key={task.id}
              task={task}
              change={change}
              info={info}
              newAddress={newAddress}
              onShowAll={onShowAll}
            />
          ) : (
            <Strip change={change} />
          )}
          <Cards change={change} task={task} />
          <StartDay change={change} policy={policy} />
          {change.statements.length > 0 && (
            <Panel title="Still true after the change">
              <Text>By asking for a new price you confirm that these are still true.</Text>
              <ul className="bullets" style={{ marginTop: '0.75rem' }}>
                {change.statements.map((statement) => (
                  <li key={statement}>{statement}</li>
                ))}
              </ul>
            </Panel>
          )}
          <LivePrice
            change={change}
            policy={quote.uuid}
            currency={quote.price?.currency}
            per={quote.price?.per}
          />
          <ChangeButtons justify="space-between" gap="0.75rem 1rem">
            <Button variant="default" component={AppLink} to={paths.policyView(quote.uuid)}>
              Leave it as it is
            </Button>
            {task?.kind === 'move' && !change.priced && !change.start.wish.isLater ? (
              <Button disabled={change.busy !== null} onClick={() => void change.save()}>
                {change.busy === 'save' ? 'Please wait...' : 'Save Changes'}
              </Button>
            ) : (
              <Button
                id={controlId(PRICE_CARD)}
                disabled={change.busy !== null}
                onClick={() => void change.seePrice()}
              >
                {change.busy === 'price' ? 'Please wait...' : 'See the new price'}
              </Button>
            )}
          </ChangeButtons>
        </form>
        <aside aria-label="Your policy" className={classes.aside}>
          <Panel title={`Policy ID: ${quote.custom_id}`}>
            <Text>{info.product_title}</Text>
            <Title order={3} mt="md" className="hint">
              Your Premium
            </Title>
            <Price
              amount={quote.price?.amount_total}
              currency={quote.price?.currency}
              per={quote.price?.per}
              size="lg"
            />
            <Title order={3} mt="md" className="hint">
              Your Cover Dates
            </Title>
            <p className="tabular">
              {formatDate(policy.inception)} to {formatDate(policy.expiry)}
            </p>
          </Panel>
        </aside>
      </div>
    </FormProvider>
  );
}
