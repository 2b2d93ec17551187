import type { ProductHelp } from '../../api/types';

/**
 * Returns the questions that have every word of the search, in the question or the answer. Leaves
 * out products without such a question.
 */
export function matchingHelp(help: ProductHelp[], search: string): ProductHelp[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return help
    .map((product) => ({
      ...product,
      questions: product.questions.filter(({ question, answer }) => {
        const text = `${question} ${answer}`.toLowerCase();
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter((product) => product.questions.length > 0);
}
