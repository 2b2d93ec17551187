import { type CardPolicy, type StoredCard, storedDocumentPath } from '../api/policies/rescueCard';
import { formatLongDate, formatTime } from '../lib/dates/dates';
import { telHref } from '../lib/format/phone';
import {
  accuracyText,
  findPlace,
  formatLocation,
  messageLink,
  messageOf,
  type Position,
} from '../lib/location/location';
import { PATTERNS } from '../lib/routes/patterns';
import { type CoverStatus, coverStatusAt } from './coverStatus';
import { el, mark, pageIcon, phoneIcon, pinIcon } from './elements';

/** The state of the card's page. */
export interface CardView {
  stored: StoredCard | null;
  /** Whether the device is offline, or the server did not respond. */
  offline: boolean;
  /** The identifiers of the documents on the device. */
  saved: ReadonlySet<string>;
  /** The browser's event that installs the page. */
  offer: Event | null;
  /**
   * Whether the key is no longer valid. The page then shows that the card is not valid. The device
   * no longer stores the card.
   */
  isRevoked: boolean;
}

interface Actions {
  remove: () => Promise<void>;
  install: () => Promise<void>;
}

/** The age, in milliseconds, from which an offline card is marked as old. */
const OLD = 7 * 24 * 60 * 60 * 1000;

const formatMoment = (moment: string) => `${formatTime(moment)} on ${formatLongDate(moment)}`;

/** Formats the end of cover. If cover ends at 00:00, returns the end of the day before. */
function formatEnd(moment: string): string {
  const last = new Date(Date.parse(moment) - 1000).toISOString();
  return formatTime(moment) === '00:00'
    ? `the end of ${formatLongDate(last)}`
    : formatMoment(moment);
}

function statusTexts({ state, begins, ends }: CoverStatus): [string, string] {
  if (state === 'cancelled') return ['Cancelled', 'This policy was cancelled. It covers nothing.'];
  if (state === 'ended')
    return ['Ended', ends ? `Covered until ${formatEnd(ends)}.` : 'Cover is over.'];
  if (state === 'not_yet' && begins)
    return ['Not yet covered', `Cover begins at ${formatMoment(begins)}.`];
  return ['Covered', ends ? `Until ${formatEnd(ends)}.` : ''];
}

function head(brand: string): HTMLElement {
  return el('header', { class: 'bar' }, mark(), el('span', { class: 'brand' }, brand));
}

function call(number: string): HTMLElement {
  return el(
    'a',
    { class: 'call', href: telHref(number) },
    phoneIcon(),
    el(
      'span',
      {},
      el('span', { class: 'label' }, 'Call for help'),
      el('span', { class: 'number' }, number),
    ),
  );
}

function cardFront(status: CoverStatus): HTMLElement {
  const { policy, state } = status;
  const [title, detail] = statusTexts(status);
  const plates = policy.registrations.map((plate) => el('li', {}, plate));
  // The plates are shown separately, so lines with a plate are left out.
  const lines = policy.lines.filter(
    (line) => !policy.registrations.some((plate) => line.includes(plate)),
  );
  return el(
    'section',
    { class: 'front', 'data-state': state },
    el('p', { class: 'state', role: 'status' }, el('span', { class: 'dot' }), title),
    detail !== '' && el('p', { class: 'detail' }, detail),
    plates.length > 0 && el('ul', { class: 'plates', 'aria-label': 'Vehicles' }, ...plates),
    el(
      'dl',
      { class: 'facts' },
      el('dt', {}, 'Policy number'),
      el('dd', { class: 'reference' }, policy.reference),
      el('dt', {}, policy.title),
      el('dd', {}, lines.join(' · ')),
    ),
  );
}

/**
 * Shows a button that reads the position. Then also shows a link that sends the position in a text
 * message.
 */
function place(policy: CardPolicy, number: string | null): HTMLElement {
  const message = el('div', { class: 'message', role: 'status' });
  const button = el('button', { type: 'button', class: 'send' }, pinIcon(), 'Find where I am');
  const offer = (place: Position) => {
    const link = messageLink(number, messageOf(place, { subject: policy }));
    message.replaceChildren(
      el('p', { class: 'position' }, formatLocation(place)),
      el('p', {}, accuracyText(place)),
      el(
        'a',
        { class: 'send', href: link },
        number ? `Text it to ${number}` : 'Text it, to whom you choose',
      ),
    );
  };
  button.addEventListener('click', async () => {
    button.disabled = true;
    message.textContent = 'Finding out where you are…';
    try {
      offer(await findPlace());
    } catch (failure) {
      message.textContent = failure instanceof Error ? failure.message : '';
    }
    button.disabled = false;
  });
  return el('div', { class: 'place', 'data-keep': 'place' }, button, message);
}

function documents(policy: CardPolicy, saved: ReadonlySet<string>, offline: boolean): HTMLElement {
  const items = policy.documents.map(({ identifier, title }) => {
    const isSaved = saved.has(identifier);
    return el(
      'li',
      {},
      pageIcon(),
      isSaved
        ? el('a', { href: storedDocumentPath(identifier) }, title)
        : el('span', {}, title, el('small', {}, offline ? 'not on this phone yet' : 'on its way')),
    );
  });
  return el('section', { class: 'part' }, el('h2', {}, 'Documents'), el('ul', {}, ...items));
}

function statusNote({ stored, offline, isRevoked }: CardView): HTMLElement | null {
  if (!stored || isRevoked) return null;
  const { as_of } = stored.card;
  const old = Date.now() - Date.parse(as_of) > OLD;
  const text = offline
    ? `No answer from us just now. This is how it stood at ${formatMoment(as_of)}.${
        old ? ' Go online once to be sure that it still does.' : ''
      }`
    : `As it stood at ${formatMoment(as_of)}.`;
  return el('p', { class: 'notice', 'data-old': String(offline && old) }, text);
}

function onHomeScreen(): boolean {
  return window.matchMedia?.('(display-mode: standalone)').matches === true;
}

function storageSection(view: CardView, actions: Actions): HTMLElement {
  const remove = el('button', { type: 'button', class: 'remove' }, 'Remove this card');
  remove.addEventListener('click', () => {
    remove.disabled = true;
    void actions.remove();
  });
  const install = el('button', { type: 'button', class: 'add' }, 'Put it on the home screen');
  install.addEventListener('click', () => void actions.install());
  const hint =
    'To open it with one tap, put this page on your home screen: it is in your browser’s menu or under Share.';
  return el(
    'section',
    { class: 'part storage' },
    el('h2', {}, 'Kept on this device'),
    el(
      'p',
      {},
      'This card, its documents, and a key that brings it up to date. The schedule has your name and address; the card has neither. Whoever can use this device can see them.',
    ),
    view.offer ? install : onHomeScreen() ? null : el('p', {}, hint),
    el('p', {}, 'It stays until you remove it here, or log out of your account in this browser.'),
    remove,
  );
}

/** Renders the card. The element with the position stays while the rest is replaced. */
export function showCard(
  root: HTMLElement,
  view: CardView & { stored: StoredCard },
  actions: Actions,
): void {
  const { stored, isRevoked } = view;
  const { card } = stored;
  const status = coverStatusAt(card, Date.now());
  const number = status?.policy.phone ?? card.assistance_phone;
  const helps = status && !isRevoked && status.state !== 'cancelled' && status.state !== 'ended';
  const before = root.querySelector<HTMLElement>('[data-keep="place"]');
  const where = helps ? (before ?? place(status.policy, card.assistance_text ?? null)) : null;
  document.title = `Rescue card | ${card.brand}`;
  const focusedText = focusedTextIn(root);
  root.replaceChildren(
    head(card.brand),
    el(
      'main',
      {},
      el('h1', { class: 'hidden', tabindex: '-1' }, 'Rescue card'),
      isRevoked
        ? el(
            'section',
            { class: 'front', 'data-state': 'ended' },
            el(
              'p',
              { class: 'state', role: 'status' },
              el('span', { class: 'dot' }),
              'No longer valid',
            ),
            el(
              'p',
              { class: 'detail' },
              'This card was stopped, or its cover ended more than a month ago. It is removed from this device.',
            ),
          )
        : status && cardFront(status),
      call(number),
      where,
      statusNote(view),
      status && !isRevoked && documents(status.policy, view.saved, view.offline),
      isRevoked ? null : storageSection(view, actions),
      isRevoked ? howToFindCard() : null,
    ),
  );
  restoreFocusTo(root, focusedText);
}

/** Returns the text of the focused control, or null if the card has no focus. */
function focusedTextIn(root: HTMLElement): string | null {
  const { activeElement } = document;
  return root.contains(activeElement) ? (activeElement?.textContent ?? null) : null;
}

/** Focuses the new control with this text. */
function restoreFocusTo(root: HTMLElement, text: string | null): void {
  const controls = [...root.querySelectorAll<HTMLElement>('a, button')];
  if (text) controls.find(({ textContent }) => textContent === text)?.focus();
}

function howToFindCard(): HTMLElement {
  return el(
    'ul',
    { class: 'directions' },
    el('li', {}, el('a', { href: PATTERNS.brokenDown }, 'Check whether you are covered')),
    el('li', {}, el('a', { href: PATTERNS.dashboard }, 'Open your account')),
  );
}

/** Renders the page without a stored card. `number` is the number to call, once it is known. */
export function showNone(root: HTMLElement, number: string | null): void {
  root.replaceChildren(
    head('Rescue card'),
    el(
      'main',
      {},
      el(
        'section',
        { class: 'part' },
        el('h1', { tabindex: '-1' }, 'No rescue card is kept here'),
        el(
          'p',
          {},
          'Open your policy on your phone and choose “Keep this on my phone”. Nothing of a policy is on this device.',
        ),
        howToFindCard(),
      ),
      number ? call(number) : null,
    ),
  );
}
