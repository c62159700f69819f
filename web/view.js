// The bodies of a frame in three dimensions, their touching faces in a colour of their own.
import {
    Box3,
    BufferAttribute,
    BufferGeometry,
    Color,
    DirectionalLight,
    DoubleSide,
    DynamicDrawUsage,
    GreaterDepth,
    HemisphereLight,
    Mesh,
    MeshStandardMaterial,
    PerspectiveCamera,
    Raycaster,
    Scene,
    ShaderMaterial,
    Sphere,
    Spherical,
    SRGBColorSpace,
    Vector2,
    Vector3,
    WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const MAX_FACES_TO_PICK = 300_000; // above, looking under the pointer would be felt
const UNTOUCHED = 0;
const TOUCHED = 255;

export function hasWebGL() {
    const context = document.createElement("canvas").getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return context !== null;
}

// Corners come in threes, so that a face can have a colour, and lines along its edges.
function spreadCorners(vertices, indices, positions) {
    for (let corner = 0; corner < indices.length; ++corner) {
        const vertex = 3 * indices[corner];
        positions[3 * corner] = vertices[vertex];
        positions[3 * corner + 1] = vertices[vertex + 1];
        positions[3 * corner + 2] = vertices[vertex + 2];
    }
}

// Adds to a standard material: faces in the colour of contacts, and lines along edges that fade where faces are
// too small to tell apart.
function markFaces(material, shared) {
    material.onBeforeCompile = (shader) => {
        shader.uniforms.touchColour = shared.touchColour;
        shader.uniforms.lineColour = shared.lineColour;
        shader.vertexShader = shader.vertexShader
            .replace(
                "#include <common>",
                `#include <common>
                attribute float touch;
                varying float vTouch;
                varying vec3 vCorner;`,
            )
            .replace(
                "#include <begin_vertex>",
                `#include <begin_vertex>
                int corner = gl_VertexID % 3;
                vCorner = vec3(corner == 0, corner == 1, corner == 2);
                vTouch = touch;`,
            );
        shader.fragmentShader = shader.fragmentShader
            .replace(
                "#include <common>",
                `#include <common>
                uniform vec3 touchColour, lineColour;
                varying float vTouch;
                varying vec3 vCorner;`,
            )
            .replace(
                "#include <color_fragment>",
                `#include <color_fragment>
                vec3 width = fwidth(vCorner);
                vec3 inner = smoothstep(vec3(0.0), 1.25 * width, vCorner);
                float small = smoothstep(0.06, 0.3, max(width.x, max(width.y, width.z)));
                float line = (1.0 - min(inner.x, min(inner.y, inner.z))) * (1.0 - small);
                diffuseColor.rgb = mix(diffuseColor.rgb, touchColour, vTouch);
                diffuseColor.rgb = mix(diffuseColor.rgb, lineColour, 0.3 * line);`,
            )
            .replace(
                "#include <emissivemap_fragment>",
                `#include <emissivemap_fragment>
                totalEmissiveRadiance += 0.45 * vTouch * touchColour * (1.0 - 0.5 * line);`,
            );
    };
}

// Touching faces that lie behind something shine through it faintly.
function createHiddenMaterial(shared) {
    return new ShaderMaterial({
        uniforms: { touchColour: shared.touchColour },
        vertexShader: `
            attribute float touch;
            void main() {
                gl_Position = touch > 0.5 ? projectionMatrix * modelViewMatrix * vec4(position, 1.0)
                                          : vec4(2.0, 2.0, 2.0, 1.0);
            }`,
        fragmentShader: `
            uniform vec3 touchColour;
            void main() {
                gl_FragColor = vec4(touchColour, 0.28);
                #include <colorspace_fragment>
            }`,
        depthFunc: GreaterDepth,
        depthWrite: false,
        transparent: true,
        side: DoubleSide,
    });
}

class BodyView {
    constructor(body, positions, colour, shared) {
        this.body = body;
        this.faceCount = body.mesh.triangles;
        this.touched = []; // face lists of the frame shown
        this.touch = new BufferAttribute(new Uint8Array(3 * this.faceCount), 1, true);
        this.touch.setUsage(DynamicDrawUsage);
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", positions);
        geometry.setAttribute("touch", this.touch);
        this.material = new MeshStandardMaterial({ flatShading: true, side: DoubleSide, roughness: 0.72 });
        this.material.color.setRGB(...colour, SRGBColorSpace);
        markFaces(this.material, shared);
        this.mesh = new Mesh(geometry, this.material);
        this.mesh.name = body.name;
        this.hidden = new Mesh(geometry, shared.hiddenMaterial);
        this.hidden.renderOrder = 1;
        this.hidden.visible = false;
        this.hidden.raycast = () => {};
        this.mesh.add(this.hidden);
        if (body.deforms) {
            this.vertices = new Float32Array(body.mesh.vertices.length);
            geometry.boundingSphere = new Sphere(new Vector3(), Math.hypot(...body.half));
            this.reach = Math.max(...body.half);
        } else {
            geometry.computeBoundingSphere();
            this.reach = geometry.boundingSphere.center.length() + geometry.boundingSphere.radius;
        }
    }

    place(pose, frame) {
        this.mesh.position.set(pose[0], pose[1], pose[2]);
        this.mesh.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
        if (this.body.deforms) this.deform(frame);
    }

    deform(frame) {
        const { vertices, body } = this;
        const first = frame * vertices.length;
        for (let i = 0; i < vertices.length; ++i)
            vertices[i] = (body.shapes[first + i] * (2 / 65535) - 1) * body.half[i % 3];
        const positions = this.mesh.geometry.attributes.position;
        spreadCorners(vertices, body.mesh.indices, positions.array);
        positions.needsUpdate = true;
    }

    mark(lists, value) {
        const { array } = this.touch;
        for (const faces of lists) for (const face of faces) array.fill(value, 3 * face, 3 * face + 3);
    }

    setTouching(lists) {
        if (lists.length === 0 && this.touched.length === 0) return;
        this.mark(this.touched, UNTOUCHED);
        this.mark(lists, TOUCHED);
        this.touched = lists;
        this.touch.needsUpdate = true;
        this.hidden.visible = lists.length > 0;
    }

    // Faces in the colour of contacts, read back from what the graphics card was given.
    touchingFaces() {
        const faces = [];
        for (let face = 0; face < this.faceCount; ++face)
            if (this.touch.array[3 * face] === TOUCHED) faces.push(face);
        return faces;
    }

    setFaded(faded) {
        if (this.material.transparent === faded) return;
        this.material.transparent = faded;
        this.material.depthWrite = !faded;
        this.material.opacity = faded ? 0.1 : 1;
        this.material.needsUpdate = true;
    }
}

export class View {
    constructor(canvas, run, colours, reducedMotion) {
        this.canvas = canvas;
        this.run = run;
        this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
        this.renderer.setClearAlpha(0);
        this.shared = { touchColour: { value: new Color() }, lineColour: { value: new Color() } };
        this.shared.hiddenMaterial = createHiddenMaterial(this.shared);
        this.scene = new Scene();
        this.camera = new PerspectiveCamera(36, 1, 0.01, 100);
        this.camera.up.set(0, run.up === "y" ? 1 : 0, run.up === "y" ? 0 : 1);
        this.addBodies(colours);
        this.addLights();
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = !reducedMotion;
        this.controls.dampingFactor = 0.12;
        this.controls.zoomToCursor = true;
        this.controls.addEventListener("change", () => this.invalidate());
        this.faceCount = run.bodies.reduce((sum, body) => sum + body.mesh.triangles, 0);
        this.raycaster = new Raycaster();
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
        this.resize();
        this.fit();
    }

    addBodies(colours) {
        const shapes = new Map(); // of bodies that keep theirs, shared like their meshes
        this.bodies = this.run.bodies.map((body, index) => {
            let positions = body.deforms ? undefined : shapes.get(body.mesh);
            if (!positions) {
                positions = new BufferAttribute(new Float32Array(9 * body.mesh.triangles), 3);
                spreadCorners(body.mesh.vertices, body.mesh.indices, positions.array);
                if (body.deforms) positions.setUsage(DynamicDrawUsage);
                else shapes.set(body.mesh, positions);
            }
            const view = new BodyView(body, positions, colours[index], this.shared);
            this.scene.add(view.mesh);
            return view;
        });
    }

    // Lights move with the camera, so that what one looks at is always lit.
    addLights() {
        const sky = new HemisphereLight(0xffffff, 0xb4b0aa, 1.75);
        sky.position.copy(this.camera.up);
        const lamps = [
            [2, -0.6, 1, 0.9],
            [0.7, 0.9, -0.3, 0.6],
        ].map(([strength, ...place]) => {
            const lamp = new DirectionalLight(0xffffff, strength);
            lamp.position.set(...place);
            lamp.target.position.set(0, 0, -1);
            this.camera.add(lamp.target);
            return lamp;
        });
        this.camera.add(...lamps);
        this.scene.add(sky, this.camera);
    }

    setTheme(style) {
        this.shared.touchColour.value.setStyle(style.getPropertyValue("--touch").trim());
        this.shared.lineColour.value.setStyle(style.getPropertyValue("--mesh-line").trim());
        this.invalidate();
    }

    // Calls back with where each body is in each frame, and how far it reaches.
    forEachPlace(visit) {
        const place = new Vector3();
        this.bodies.forEach((view, body) => {
            for (let frame = 0; frame < this.run.frameCount; ++frame) {
                const pose = this.run.pose(frame, body);
                visit(place.set(pose[0], pose[1], pose[2]), view.reach);
            }
        });
    }

    // As near as everything can be seen from in all frames.
    fit() {
        const { camera, controls } = this;
        if (!this.box) {
            this.box = new Box3();
            this.forEachPlace((place, reach) =>
                this.box.union(new Box3().setFromCenterAndSize(place, new Vector3().setScalar(2 * reach))),
            );
        }
        this.radius = Math.max(1e-6, this.box.getSize(new Vector3()).length() / 2);
        this.box.getCenter(controls.target);
        const direction = this.run.up === "y" ? new Vector3(0.62, 0.42, 1) : new Vector3(0.62, -1, 0.42);
        camera.position.copy(direction.normalize().multiplyScalar(this.fittingDistance(direction)));
        camera.position.add(controls.target);
        controls.minDistance = this.radius * 1e-3;
        controls.maxDistance = this.radius * 12;
        controls.update();
        this.invalidate();
    }

    fittingDistance(direction) {
        const upward = Math.tan((this.camera.fov * Math.PI) / 360);
        const sideways = upward * this.camera.aspect;
        const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
        const above = new Vector3().crossVectors(direction, right);
        let distance = 0;
        this.forEachPlace((place, reach) => {
            place.sub(this.controls.target);
            const toward = place.dot(direction);
            distance = Math.max(
                distance,
                toward + (Math.abs(place.dot(right)) + 1.1 * reach) / sideways,
                toward + (Math.abs(place.dot(above)) + 1.1 * reach) / upward,
            );
        });
        return 1.04 * distance;
    }

    // With keys; angles in radians.
    turn(sideways, upward) {
        const { camera, controls } = this;
        const offset = camera.position.clone().sub(controls.target);
        const upright = this.run.up === "y";
        if (!upright) offset.set(offset.x, offset.z, -offset.y);
        const spherical = new Spherical().setFromVector3(offset);
        spherical.theta += sideways;
        spherical.phi += upward;
        offset.setFromSpherical(spherical.makeSafe());
        if (!upright) offset.set(offset.x, -offset.z, offset.y);
        camera.position.copy(controls.target).add(offset);
        controls.update();
    }

    zoom(factor) {
        const { camera, controls } = this;
        camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
        controls.update();
    }

    show(frame, pairs) {
        const lists = this.bodies.map(() => []);
        for (const { a, b, facesA, facesB } of pairs) {
            if (facesA.length) lists[a].push(facesA);
            if (facesB.length) lists[b].push(facesB);
        }
        this.bodies.forEach((view, body) => {
            view.place(this.run.pose(frame, body), frame);
            view.setTouching(lists[body]);
        });
        this.invalidate();
    }

    // Fade all bodies but these; null shows all.
    focus(bodies) {
        this.bodies.forEach((view, body) => view.setFaded(bodies !== null && !bodies.includes(body)));
        this.invalidate();
    }

    touchingFaces(body) {
        return this.bodies[body].touchingFaces();
    }

    // Which body is at a point of the canvas; -1 if none.
    pick(x, y) {
        if (this.faceCount > MAX_FACES_TO_PICK) return -1;
        const point = new Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight);
        this.raycaster.setFromCamera(point, this.camera);
        const [hit] = this.raycaster.intersectObjects(
            this.bodies.map((view) => view.mesh),
            false,
        );
        return hit ? this.bodies.findIndex((view) => view.mesh === hit.object) : -1;
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
        if (width === 0 || height === 0) return;
        this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        this.draw(); // at once: a canvas that was resized is empty
    }

    // Draw soon, however often it is asked for.
    invalidate() {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            this.controls.update();
            this.draw();
        });
    }

    draw() {
        if (!this.controls) return;
        const distance = this.camera.position.distanceTo(this.controls.target);
        this.camera.near = distance / 500;
        this.camera.far = distance + 4 * (this.radius ?? 1);
        this.camera.updateProjectionMatrix();
        this.renderer.render(this.scene, this.camera);
    }
}
