import { Center, Loader } from '@mantine/core';
import { Suspense, useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import { lazyPart } from './later';

/**
 * A dialog or drawer whose code is loaded when it is opened for the first time. It is drawn closed before it is opened, because it
 * brings the focus back to where it was at that moment.
 */
export const dialogOnDemand = <Props extends { readonly isOpen: boolean }>(
  load: () => Promise<(props: Props) => ReactNode>,
) => {
  const Dialog = lazyPart(load);
  const FirstClosed = (props: Props) => {
    const isDrawn = useIsDrawn();
    return <Dialog {...props} isOpen={isDrawn && props.isOpen} />;
  };
  return function OnDemand(props: Props) {
    const [wasOpened, setWasOpened] = useState(false);
    if (props.isOpen && !wasOpened) setWasOpened(true);
    return (
      wasOpened && (
        <Suspense fallback={<Coming />}>
          <FirstClosed {...props} />
        </Suspense>
      )
    );
  };
};

/** From the first picture on that has it. */
const useIsDrawn = (): boolean => {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setDrawn(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isDrawn;
};

/** In the middle of the screen, above the page. */
function Coming() {
  return (
    <Center pos="fixed" inset={0} style={{ zIndex: 200, pointerEvents: 'none' }}>
      <Loader role="status" aria-label="Loading" />
    </Center>
  );
}

/** The props by which a button replaces its menu until that has come. */
export type FirstUse = Pick<
  ComponentProps<'button'>,
  'aria-haspopup' | 'aria-busy' | 'onPointerEnter' | 'onFocus' | 'onClick'
>;

/** A menu that is loaded when its button is used for the first time. */
export const menuOnDemand = <Props extends object>(
  buttonOf: (props: Props, use: FirstUse) => ReactNode,
  load: () => Promise<(props: Props) => ReactNode>,
) => {
  const Menu = lazyPart(load);
  return function OnDemand(props: Props) {
    const [isUsed, setUsed] = useState(false);
    const prepare = (): void => void Menu.preload?.();
    const button = buttonOf(props, {
      'aria-haspopup': 'menu',
      'aria-busy': isUsed,
      onPointerEnter: prepare,
      onFocus: prepare,
      onClick: () => setUsed(true),
    });
    if (!isUsed) return button;
    return (
      <Suspense fallback={button}>
        <Menu {...props} />
      </Suspense>
    );
  };
};

/**
 * For a menu that takes the place of a button that was used. It opens with the focus on its own button, because it brings the
 * focus back to where it was at that moment.
 */
export const useOpening = () => {
  const button = useRef<HTMLButtonElement>(null);
  const isDrawn = useIsDrawn();
  const [isOpened, setOpened] = useState(true);
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  return { button, menu: { opened: isDrawn && isOpened, onChange: setOpened } } as const;
};
