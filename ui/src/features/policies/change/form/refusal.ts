import { errorsOf, reasonOf, statusOf } from '../../../../api/failure';

/** Returns the text about a failed save of a change. */
export function refusalText(failure: unknown): string {
  switch (statusOf(failure)) {
    case 404:
      return 'This policy is no longer here. Please log in to see your policies.';
    case 400:
    case 422:
      return Object.keys(errorsOf(failure)).length > 0
        ? 'Error. Please correct the form and try again.'
        : reasonOf(failure);
    default:
      return reasonOf(failure);
  }
}
