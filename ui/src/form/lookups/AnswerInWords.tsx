import { answerText } from '../review/display';
import type { Field, Scalar } from '../types';
import { useDatePrecision } from './vehicle/datePrecision';

/**
 * Shows an answer as text. If the visitor has confirmed a month or a longer period, the text names
 * the period, not its first day.
 */
export function AnswerInWords(props: { field: Field; path: string; value: Scalar | undefined }) {
  const { field, path, value } = props;
  const agreed = useDatePrecision(field.kind === 'date' ? path : null, value);
  return <bdi>{agreed ?? answerText(field, value)}</bdi>;
}
