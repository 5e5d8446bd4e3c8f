// A component that is drawn again only when a property changed.

import { Component, type ComponentType } from "preact";

export function memo<P extends object>(Inner: ComponentType<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const names = Object.keys(next) as (keyof P)[];
      return names.some((name) => next[name] !== (this.props as P)[name]);
    }

    override render(props: P) {
      return <Inner {...props} />;
    }
  };
}
