import { Button, VisuallyHidden } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import type { Field, Option, Scalar } from '../../../form/types';
import { Icon } from '../../../ui/icons/Icon';
import classes from './LevelComparison.module.css';

/**
 * Returns the features of a choice. The features of another choice X replace the entry "Everything
 * in X".
 */
export function featuresOf(option: Option, all: Option[], depth = 0): string[] {
  return (option.includes ?? []).flatMap((text) => {
    const other = all.find((each) => text === `Everything in ${each.label}`);
    // `depth` prevents an endless loop between choices that include each other.
    return other && depth < all.length ? featuresOf(other, all, depth + 1) : [text];
  });
}

interface Props {
  field: Field;
  /** The chosen level. */
  chosen: Scalar;
  /** The price of a level. */
  priceOf?: (option: Option) => ReactNode;
  onChoose?: (value: Option['value']) => void;
}

/** Shows a table of the levels and the features that each level includes. */
export function LevelComparison({ field, chosen, priceOf, onChoose }: Props) {
  const tiers = field.options.filter((option) => (option.includes?.length ?? 0) > 0);
  const included = tiers.map((tier) => new Set(featuresOf(tier, tiers)));
  const features = [...new Set(included.flatMap((each) => [...each]))];
  if (tiers.length < 2 || features.length === 0) return null;
  return (
    <section className={classes.tiers} aria-labelledby="tiers-title">
      <h2 id="tiers-title">Compare cover levels</h2>
      <section
        className={`panel ${classes.frame}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        tabIndex={0}
        aria-label="Cover levels side by side"
      >
        <table className={classes.table} style={{ '--levels': tiers.length } as CSSProperties}>
          <thead>
            <tr>
              <td />
              {tiers.map((tier) => (
                <th key={tier.value} scope="col" data-chosen={tier.value === chosen || undefined}>
                  {tier.label}
                  {tier.value === chosen && <span className={classes.chosen}>Your choice</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {priceOf && (
              <tr className={classes.prices}>
                <th scope="row">Price</th>
                {tiers.map((tier) => (
                  <td key={tier.value} data-chosen={tier.value === chosen || undefined}>
                    {priceOf(tier)}
                  </td>
                ))}
              </tr>
            )}
            {features.map((feature) => (
              <tr key={feature}>
                <th scope="row">{feature}</th>
                {tiers.map((tier, index) => (
                  <td key={tier.value} data-chosen={tier.value === chosen || undefined}>
                    <IncludedIcon yes={included[index]?.has(feature) ?? false} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {onChoose && (
            <tfoot>
              <tr>
                <th scope="row">
                  <VisuallyHidden>Choose</VisuallyHidden>
                </th>
                {tiers.map((tier) => (
                  <td key={tier.value} data-chosen={tier.value === chosen || undefined}>
                    <Button
                      size="sm"
                      variant={tier.value === chosen ? 'filled' : 'default'}
                      className={classes.choose}
                      onClick={() => onChoose(tier.value)}
                    >
                      {tier.value === chosen ? 'Chosen' : 'Choose'}
                      <VisuallyHidden> {tier.label}</VisuallyHidden>
                    </Button>
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </section>
    </section>
  );
}

function IncludedIcon({ yes }: { yes: boolean }) {
  return (
    <span className={classes.mark} data-yes={yes || undefined}>
      <Icon name={yes ? 'check' : 'cross'} size={20} strokeWidth={yes ? 2.5 : 1.75} />
      <VisuallyHidden>{yes ? 'Included' : 'Not included'}</VisuallyHidden>
    </span>
  );
}
