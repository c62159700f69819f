// Which frame is shown. Whoever wants to know listens.
export class Player {
    constructor(frameCount, frameRate) {
        this.frameCount = frameCount;
        this.frameRate = frameRate;
        this.frame = 0;
        this.playing = false;
        this.speed = 1;
        this.listeners = [];
    }

    listen(listener) {
        this.listeners.push(listener);
    }

    tell() {
        for (const listener of this.listeners) listener(this);
    }

    // To a frame, which ends playing.
    jump(frame) {
        this.playing = false;
        this.show(frame);
    }

    show(frame) {
        this.frame = Math.max(0, Math.min(this.frameCount - 1, Math.round(frame)));
        this.tell();
    }

    toggle() {
        this.playing = !this.playing && this.frameCount > 1;
        if (this.playing) {
            if (this.frame === this.frameCount - 1) this.frame = 0;
            this.startFrame = this.frame;
            this.startTime = null;
            requestAnimationFrame((now) => this.advance(now));
        }
        this.tell();
    }

    setSpeed(speed) {
        this.speed = speed;
        this.startFrame = this.frame;
        this.startTime = null;
    }

    // Frames are left out rather than shown late.
    advance(now) {
        if (!this.playing) return;
        this.startTime ??= now;
        const seconds = (now - this.startTime) / 1000;
        const frame = this.startFrame + Math.floor(seconds * this.speed * this.frameRate);
        if (frame >= this.frameCount - 1) this.playing = false;
        else requestAnimationFrame((later) => this.advance(later));
        if (frame !== this.frame || !this.playing) this.show(frame);
    }
}
