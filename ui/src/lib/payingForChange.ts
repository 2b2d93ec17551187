import { useLocation } from 'react-router';

/**
 * Router state for links to a payment page that is about a change of a policy: with it the page
 * does not first look for a quote of that id.
 */
export const FOR_CHANGE = { change: true } as const;

/** The same, from the button that has just started the payment. */
export const CHANGE_BEGUN = { ...FOR_CHANGE, begun: true } as const;

function useLinkState(): Partial<typeof CHANGE_BEGUN> {
  return (useLocation().state as Partial<typeof CHANGE_BEGUN> | null) ?? {};
}

export const useForChange = () => useLinkState().change === true;
export const useJustBegun = () => useLinkState().begun === true;
