import { Anchor, Group, VisuallyHidden } from '@mantine/core';
import { useSite } from '../../../api/hooks';
import { AppLink } from '../../../ui/basics/AppLink';
import { BackIcon } from '../../../ui/icons/icons';

/**
 * Shows the back link of a payment page, and links to documents to read before paying. The
 * documents open in a new tab, so that the card form stays.
 */
export function PaymentTop({ back: backPath }: { back: string }) {
  const { data: site } = useSite();
  const links = site
    ? [
        ['Terms', site.links.terms],
        ['Privacy', site.links.privacy],
        ['Cookies', site.links.cookies],
      ]
    : [];
  return (
    <Group justify="space-between" gap="0 1.5rem">
      <AppLink to={backPath} className="touchTarget back">
        <BackIcon /> Back
      </AppLink>
      {links.length > 0 && (
        <nav aria-label="Legal">
          <ul className="links">
            {links.map(([label, href]) => (
              <li key={label}>
                <Anchor
                  href={href}
                  target="_blank"
                  rel="noopener noreferrer"
                  underline="always"
                  size="sm"
                  c="dimmed"
                >
                  {label}
                  <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
                </Anchor>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </Group>
  );
}
