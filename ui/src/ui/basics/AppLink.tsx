import { type Ref, useEffect, useRef } from 'react';
import { Link, type LinkProps, useHref, useLocation } from 'react-router';
import { prefetchOnIdle } from '../../lib/navigation/prefetch';

function pathOf(href: string): string {
  return href.split(/[?#]/, 1)[0] ?? href;
}

/**
 * Shows a link to a page of the website. When the link is visible, `prefetchOnIdle` fetches the
 * page's code, unless the page is the present one.
 */
export function AppLink({ ref, ...props }: LinkProps & { ref?: Ref<HTMLAnchorElement> }) {
  const own = useRef<HTMLAnchorElement | null>(null);
  const target = pathOf(useHref(props.to));
  const { pathname } = useLocation();

  useEffect(() => {
    const link = own.current;
    if (!link || target === pathname || typeof IntersectionObserver === 'undefined') return;
    let cancel = () => {};
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      cancel = prefetchOnIdle(target);
    });
    observer.observe(link);
    return () => {
      observer.disconnect();
      cancel();
    };
  }, [target, pathname]);

  return (
    <Link
      {...props}
      ref={(node) => {
        own.current = node;
        if (typeof ref === 'function') ref(node);
        else if (ref) ref.current = node;
      }}
    />
  );
}
