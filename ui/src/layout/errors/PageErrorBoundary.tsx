import { Component, type ComponentType, type ReactNode } from 'react';
import type { Location } from 'react-router';

interface Props {
  location: Location;
  /** The component that replaces the failed page. */
  Failed: ComponentType<{ error: unknown }>;
  children: ReactNode;
}

interface BoundaryState {
  location: Location;
  failed: { error: unknown } | null;
}

/** Catches the render errors of a page. A navigation renders the page again. */
export class PageErrorBoundary extends Component<Props, BoundaryState> {
  override state: BoundaryState = { location: this.props.location, failed: null };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failed: { error } };
  }

  static getDerivedStateFromProps(
    { location }: Props,
    state: BoundaryState,
  ): Partial<BoundaryState> | null {
    return location === state.location ? null : { location, failed: null };
  }

  override render() {
    const { failed } = this.state;
    const { Failed, children } = this.props;
    return failed ? <Failed error={failed.error} /> : children;
  }
}
