import { Group, Text } from '@mantine/core';
import { useEnabledProducts } from '../../api/hooks';
import { paths } from '../../lib/routes/paths';
import { AppLink } from '../../ui/basics/AppLink';

/**
 * Shows links to the products on sale, without the product `except`. Shows nothing if there is no
 * such product, or until the list is loaded.
 */
export function OtherCover({ except }: { except?: string }) {
  const { data: products } = useEnabledProducts();
  const others = (products ?? []).filter(
    (product) => product.enabled && product.identifier !== except,
  );
  if (others.length === 0) return null;
  return (
    <Group
      component="nav"
      className="screenOnly"
      aria-label="Other cover"
      gap="0 1.25rem"
      fz="sm"
      mt="xl"
      pt="sm"
      style={{ borderTop: '1px solid var(--layby-border)' }}
    >
      <Text fz="sm" fw={600} c="dimmed">
        Other cover
      </Text>
      <ul className="links">
        {others.map((product) => (
          <li key={product.identifier}>
            <AppLink to={paths.start(product.identifier)}>{product.product_title}</AppLink>
          </li>
        ))}
      </ul>
    </Group>
  );
}
