import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Profile } from '../../../../api/types';
import { blankInstance } from '../../../../form/answers/answers';
import { cardKey } from '../../../../form/cards/useOpenCards';
import { isMissing } from '../../../../form/conditions/conditions';
import { isPlate } from '../../../../form/kinds';
import { controlId } from '../../../../form/state/FormContext';
import type { Dataset, ProductInfo } from '../../../../form/types';
import { instanceTitle } from '../../../../form/validation/errors';
import { focusId } from '../../../../form/validation/focusPath';
import { ChangeStrip } from '../ChangeLayout';
import type { ChangeFormState } from '../form/useChange';
import classes from './TaskIntro.module.css';
import { fieldsForTask, type Task } from './tasks';

const INTRO: Record<Task['kind'], string> = {
  add: 'Tell us about it. You see the new price before anything is agreed.',
  swap: 'Tell us what comes in its place. You see the new price before anything is agreed.',
  move: 'Tell us your new address. You see below whether it changes your price.',
  level: 'Each level has its new price beside it. Nothing is agreed until you say so.',
};
const MOVES_HOME_COVER = 'Help at home comes to it from the day of the change.';

/** Focuses an element after two frames, when the latest changes are rendered. */
function focusSoon(id: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() => focusId(id)));
}

interface Props {
  task: Task;
  change: ChangeFormState;
  info: ProductInfo;
  newAddress?: Profile | null;
  onShowAll: () => void;
}

/**
 * Shows the instructions of a task. Adds an item, asks which item to swap, or opens the task's
 * cards. A button shows the whole form.
 */
export function TaskIntro({ task, change, info, newAddress, onShowAll }: Props) {
  const { api, cards, dirty } = change;
  const { coverage_map: map } = info;
  const level = map?.levels.find(({ value }) => value === api.state.values[map.field]);
  const { dataset } = task;
  const count = dataset ? (api.state.multi[dataset.identifier]?.length ?? 0) : 0;
  const [swapping, setSwapping] = useState(dirty);
  const hasBegun = useRef(false);
  const addressFields =
    task.kind === 'move' ? fieldsForTask(api.form, task).flatMap(({ fields }) => fields) : [];
  const address = addressFields
    .toSorted((a, b) => Number(b.kind === 'address') - Number(a.kind === 'address'))
    .map(({ name }) => change.before.values[name])
    .filter((text) => !isMissing(text))
    .join(', ')
    .replaceAll(/\s*\n\s*/g, ', ');

  const swap = (dataset: Dataset, index: number) => {
    const blank = blankInstance(dataset);
    for (const field of dataset.fields) {
      if (field.locked || field.display_only) continue;
      api.change(`${dataset.identifier}.${index}.${field.name}`, blank[field.name] ?? null);
    }
    cards.begin(cardKey(dataset.identifier, index));
    setSwapping(true);
    focusSoon(`card-${dataset.identifier}-${index}`);
  };

  /** Empties the address and focuses its first question, or fills in the new address. */
  const move = () => {
    for (const { name } of addressFields) {
      api.change(name, newAddress?.[name as keyof Profile] ?? null);
    }
    api.setHome();
    const [first] = addressFields;
    if (first && !newAddress) focusSoon(controlId(first.name));
  };

  /** Shows the whole form, with the policy's address unless the customer has typed another. */
  const showAll = () => {
    if (addressFields.every(({ name }) => isMissing(api.answers.values[name]))) {
      for (const { name } of addressFields) api.change(name, change.before.values[name] ?? null);
    }
    onShowAll();
  };

  // The effect runs once. After the return from the price, the form still has the typed answers, so
  // the effect does nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first step of the task, when the page opens
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    if (dirty) return;
    if (task.kind === 'add' && dataset) {
      api.add(dataset.identifier);
      cards.begin(cardKey(dataset.identifier, count));
      focusSoon(`card-${dataset.identifier}-${count}`);
    } else if (task.kind === 'swap' && dataset) {
      if (count === 1) swap(dataset, 0);
    } else {
      for (const identifier of task.needs.keys()) cards.setOpen(identifier, true);
      if (task.kind === 'move') move();
    }
  }, []);

  return (
    <ChangeStrip>
      <p>
        {INTRO[task.kind]}
        {task.kind === 'move' && level?.at_home && ` ${MOVES_HOME_COVER}`}
        {address !== '' && (
          <Text span display="block" c="dimmed">
            Your address now: <bdi>{address}</bdi>
          </Text>
        )}
      </p>
      <Button size="sm" variant="default" onClick={showAll}>
        Change anything else
      </Button>
      {task.kind === 'swap' && dataset && !swapping && count > 1 && (
        <Group
          role="group"
          aria-label={`Which ${dataset.noun} goes?`}
          gap="0.5rem 0.75rem"
          className={classes.items}
        >
          <strong>Which {dataset.noun} goes?</strong>
          {Array.from({ length: count }, (_, index) => index).map((index) => (
            <Button key={index} size="sm" onClick={() => swap(dataset, index)}>
              {nameOf(dataset, index, change)}
            </Button>
          ))}
        </Group>
      )}
    </ChangeStrip>
  );
}

/**
 * Returns the registration of a vehicle. Without a registration, returns a title with the item's
 * number.
 */
function nameOf(dataset: Dataset, index: number, { api }: ChangeFormState): string {
  const values = api.state.multi[dataset.identifier]?.[index] ?? {};
  const plate = dataset.fields.find(isPlate);
  const text = plate ? values[plate.name] : null;
  return typeof text === 'string' && text !== '' ? text : instanceTitle(dataset, index);
}
